// Buttons that copy: the words in `data-copy`, or the value of the field that `data-copy-from` names.

const SAID_FOR_MS = 1_600;

async function copy(button) {
  const { copy: words, copyFrom } = button.dataset;
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(copyFrom ? document.getElementById(copyFrom).value : words);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copying is not allowed here";
  }
  setTimeout(() => (button.textContent = said), SAID_FOR_MS);
}

export function offerCopies() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (button) copy(button);
  });
}

if (document.querySelector("button[data-copy-from]")) offerCopies();
