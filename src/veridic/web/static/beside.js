// The card of a claim, for people of the desk: when it is opened, earlier checks of the claim and the form for a verdict are
// put into it. Without script, a link leads to the claim's page at the desk. What is fetched is a page of our own server, with
// everything from outside escaped there; it is moved over node by node.

import { measureTime } from "./desk.js";

const REST_MS = 300; // a card that only opens in passing fetches nothing

async function fetched(address, options) {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("section.beside");
}

function place(here, section) {
  const placed = document.importNode(section, true);
  const hadFocus = here.contains(document.activeElement);
  here.replaceWith(placed);
  if (hadFocus) placed.focus({ preventScroll: true });
  const form = placed.querySelector(".verdict-form");
  if (form) measureTime(form);
  return placed;
}

async function fill(link) {
  const here = link.closest(".at-desk");
  if (here.dataset.asked) return;
  here.dataset.asked = "true";
  const section = await fetched(link.dataset.beside).catch(() => null);
  if (section) place(here.querySelector("a"), section); // its place keeps the anchor
}

/** Show the page anew at a claim, with the verdict that was saved. */
function reopen(claim) {
  location.hash = `desk-${claim}`;
  location.reload();
}

async function send(event) {
  const form = event.target;
  const here = form.closest("section.beside");
  if (!here || form.matches(".take")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const section = await fetched(form.getAttribute("action"), { method: "POST", body }).catch(() => null);
  if (!section) form.submit(); // the server says what is wrong, on a page of its own
  else if ("saved" in section.dataset) reopen(section.dataset.next);
  else place(here, section).querySelector("[role=alert], .verdict-form")?.scrollIntoView({ block: "nearest" });
}

export function rateBesidePassages(main) {
  main.addEventListener(
    "toggle",
    ({ target }) => {
      const link = target.open && target.querySelector(":scope > .body > .at-desk > a[data-beside]");
      if (link) setTimeout(() => target.open && fill(link), REST_MS);
    },
    { capture: true },
  );
  main.addEventListener("submit", send);
}
