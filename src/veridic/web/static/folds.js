// A link into something folded unfolds it; paper shows everything.

function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const own = target.querySelector(":scope > details");
  if (own) own.open = true;
  for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) {
    folded.open = true;
  }
  target.scrollIntoView({ block: "nearest" });
  target.focus({ preventScroll: true });
}

function unfoldForPrint() {
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)), { once: true });
}

export function followLinksIntoFolds() {
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", unfoldForPrint);
  if (location.hash) reveal();
}
