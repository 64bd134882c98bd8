// Stops a pasted or dropped text of megabytes before the browser lays it out, with a sentence.

export function stopLargeText(field) {
  const most = Number(field.dataset.most);
  const instead = field.dataset.instead ?? "send it as a file";
  const said = document.createElement("p");
  said.className = "mistake";
  said.setAttribute("role", "alert");
  field.after(said);

  const stop = (event, text) => {
    const { selectionStart: start, selectionEnd: end, value } = field;
    const length = value.length - (end - start) + text.length;
    if (length <= most) {
      said.textContent = "";
      return;
    }
    event.preventDefault();
    const number = (count) => count.toLocaleString("en");
    said.textContent =
      `The text would have ${number(length)} characters, and at most ${number(most)} can be pasted: ${instead}.`;
  };
  field.addEventListener("paste", (event) => stop(event, event.clipboardData?.getData("text/plain") ?? ""));
  field.addEventListener("drop", (event) => stop(event, event.dataTransfer?.getData("text/plain") ?? ""));
}
