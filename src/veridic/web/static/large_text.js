// Stops a pasted or dropped text of megabytes before the browser lays it out, with a sentence.

function stopLargeText(field) {
  const most = Number(field.dataset.most);
  const instead = field.dataset.instead ?? "send it as a file";
  let said = null; // there is no empty alert on the page

  const stop = (event, text) => {
    const { selectionStart: start, selectionEnd: end, value } = field;
    const length = value.length - (end - start) + text.length;
    said?.remove();
    said = null;
    if (length <= most) return;
    event.preventDefault();
    const number = (count) => count.toLocaleString("en");
    said = document.createElement("p");
    said.className = "mistake";
    said.setAttribute("role", "alert");
    said.textContent =
      `The text would have ${number(length)} characters, and at most ${number(most)} can be pasted: ${instead}.`;
    field.after(said);
  };
  field.addEventListener("paste", (event) => stop(event, event.clipboardData?.getData("text/plain") ?? ""));
  field.addEventListener("drop", (event) => stop(event, event.dataTransfer?.getData("text/plain") ?? ""));
}

for (const field of document.querySelectorAll("textarea[data-most]")) stopLargeText(field);
