// Buttons that copy: the words in `data-copy`, the value of the field that `data-copy-from` names, or the whole address of the
// page that `data-copy-link` names.

const SAID_FOR_MS = 1_600;

function textOf(words, copyFrom, copyLink) {
  if (copyLink) return new URL(copyLink, location.origin).href;
  return copyFrom ? document.getElementById(copyFrom).value : words;
}

async function copy(button) {
  const { copy: words, copyFrom, copyLink } = button.dataset;
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(textOf(words, copyFrom, copyLink));
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
