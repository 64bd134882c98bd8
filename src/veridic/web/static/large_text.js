// Stops a pasted or dropped text of megabytes before the browser lays it out, with a sentence.

function stopLargeText(field) {
  const most = Number(field.dataset.most);
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
      `The text would have ${number(length)} characters, and at most ${number(most)} can be pasted: send it as a file.`;
  };
  field.addEventListener("paste", (event) => stop(event, event.clipboardData?.getData("text/plain") ?? ""));
  field.addEventListener("drop", (event) => stop(event, event.dataTransfer?.getData("text/plain") ?? ""));
}

for (const field of document.querySelectorAll("textarea[data-most]")) stopLargeText(field);
