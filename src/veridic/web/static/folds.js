// A link into something folded unfolds it.

function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || target.matches(".at-desk")) return; // the reader opens the card of a claim at the desk
  for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) {
    folded.open = true;
  }
  target.scrollIntoView({ block: "nearest" });
  target.focus({ preventScroll: true });
}

/** On paper each claim shows its card; what is folded within a card stays folded. */
function openCards() {
  const folded = [...document.querySelectorAll(".entry > details:not([open]), .group:not([open])")];
  for (const details of folded) details.open = true;
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)), { once: true });
}

export function followLinksIntoFolds() {
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", openCards);
  if (location.hash) reveal();
}
