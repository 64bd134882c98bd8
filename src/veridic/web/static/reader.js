// Reading an article claim by claim: a claim that is pointed at, tapped, focused or walked to opens its card. On wide
// screens cards are beside the text, on narrow ones they come up as a sheet. Without script, the numbers in the text are
// links into the cards.

const NARROW = matchMedia("(max-width: 61.99rem)");
const REST_MS = 160; // a pointer that only passes over the text opens nothing
const MARGIN = 16; // pixels that stay free above and below the claims

/** Where the part of a card is that must be seen: from its head to the end of what it says first. */
function lead(card) {
  const first = card.querySelector(".passage, .statement, .said, .failed") ?? card.querySelector("summary");
  return { top: card.getBoundingClientRect().top, bottom: first.getBoundingClientRect().bottom };
}

/** Scroll the claims, and not the page, until as much of a card as possible is in the window. */
function scrollWithin(panel, card) {
  const { top, bottom } = panel.getBoundingClientRect();
  const [first, last] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  const shown = lead(card);
  if (shown.top < first || shown.bottom > last) panel.scrollTop += shown.top - first - MARGIN / 2;
}

export class Reader {
  #main;
  #help;
  #current = null; // the number of the claim whose card is open
  #kept = false; // chosen on purpose: a passing pointer doesn't change it
  #sheet = false; // whether the card has come up as a sheet
  #resting = null;

  constructor(main, help) {
    this.#main = main;
    this.#help = help;
  }

  start() {
    const content = (event) => event.target.closest?.("#content [data-claim]");
    this.#main.addEventListener("pointerover", (event) => this.#pointed(event, content(event)));
    this.#main.addEventListener("click", (event) => this.#clicked(event, content(event)));
    this.#main.addEventListener("focusin", (event) => {
      const link = content(event);
      if (link?.id && link.matches(":focus-visible")) this.#open(link.dataset.claim, { keep: true, sheet: false });
    });
    document.addEventListener("keydown", (event) => this.#pressed(event));
    NARROW.addEventListener("change", () => this.#closeSheet());
    const asked = /^#(?:about|claim)-(\d+)$/.exec(location.hash);
    if (asked) this.#open(asked[1], { keep: true });
  }

  /** Open and mark the claim again after the page was brought up to date: its card may have moved to another group. */
  restore() {
    if (!this.#current) return;
    this.#mark();
    const card = this.#card(this.#current);
    if (card) card.querySelector(":scope > details").open = true;
  }

  #card(number) {
    return document.getElementById(`claim-${number}`);
  }

  #pointed(event, claim) {
    clearTimeout(this.#resting);
    if (!claim || this.#kept || event.pointerType !== "mouse" || NARROW.matches) return;
    this.#resting = setTimeout(() => this.#open(claim.dataset.claim), REST_MS);
  }

  #clicked(event, claim) {
    if (event.target.closest("#keys")) {
      this.#help.showModal();
    } else if (event.target.closest(".entry > details > summary")) {
      this.#toggled(event.target.closest(".entry"));
    } else if (event.target.closest(".back a") && this.#current) {
      event.preventDefault();
      this.#close();
    } else if (claim) {
      if (claim.localName === "a") event.preventDefault();
      if (getSelection().isCollapsed || claim.localName === "a") this.#open(claim.dataset.claim, { keep: true });
    } else if (event.target.closest("#content")) {
      this.#kept = false;
    }
  }

  /** A card is opened or closed by its own summary: the browser does that, and one card is open at a time. */
  #toggled(card) {
    const number = card.id.slice("claim-".length);
    const opens = !card.querySelector(":scope > details").open;
    if (number === this.#current) this.#forget();
    if (!opens) return;
    this.#shut();
    this.#current = number;
    this.#kept = true;
    this.#mark();
  }

  #open(number, { keep = false, sheet = true } = {}) {
    const card = this.#card(number);
    if (!card) return;
    if (number !== this.#current) this.#shut();
    this.#current = number;
    this.#kept ||= keep;
    this.#sheet = NARROW.matches && sheet;
    card.classList.remove("raised");
    this.#mark();
    for (let fold = card.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    card.querySelector(":scope > details").open = true;
    this.#bringIntoView(card);
  }

  #bringIntoView(card) {
    const claim = document.getElementById(`text-${this.#current}`);
    if (NARROW.matches) claim?.scrollIntoView({ block: this.#sheet ? "start" : "nearest" });
    else if (this.#kept) this.#bringBeside(card, claim);
    else this.#raise(card);
  }

  /** Scroll the claims, and the page as far as it takes, until the verdict and the first passage are in the window. */
  #bringBeside(card, claim) {
    const panel = document.getElementById("claims");
    claim?.scrollIntoView({ block: "nearest", behavior: "instant" });
    const above = panel.getBoundingClientRect().top - MARGIN;
    if (above < 0) scrollBy({ top: above, behavior: "instant" });
    scrollWithin(panel, card);
    const below = lead(card).bottom + MARGIN - innerHeight;
    const room = panel.getBoundingClientRect().top - MARGIN;
    if (below > 0 && room > 0) scrollBy({ top: Math.min(below, room), behavior: "instant" });
    scrollWithin(panel, card);
  }

  /** The page must not move under a pointer: a card that would be cut off floats over the others. */
  #raise(card) {
    const panel = document.getElementById("claims");
    scrollWithin(panel, card);
    const { left, width, top } = panel.getBoundingClientRect();
    if (lead(card).top >= Math.max(top, 0) && lead(card).bottom <= innerHeight) return;
    card.style.setProperty("--left", `${left}px`);
    card.style.setProperty("--width", `${width}px`);
    card.classList.add("raised");
  }

  #mark() {
    for (const marked of this.#main.querySelectorAll(".current")) marked.classList.remove("current");
    for (const piece of this.#main.querySelectorAll(`#content [data-claim="${this.#current}"]`)) piece.classList.add("current");
    const card = this.#card(this.#current);
    card?.classList.add("current");
    card?.classList.toggle("sheet", this.#sheet);
  }

  /** Close the card that is open, without moving the focus. */
  #shut() {
    const card = this.#current && this.#card(this.#current);
    if (card) card.querySelector(":scope > details").open = false;
    this.#forget();
  }

  #forget() {
    this.#current = null;
    for (const marked of this.#main.querySelectorAll(".current")) marked.classList.remove("current");
    this.#closeSheet();
  }

  #closeSheet() {
    this.#sheet = false;
    for (const card of this.#main.querySelectorAll(".sheet, .raised")) card.classList.remove("sheet", "raised");
  }

  #close() {
    const claim = document.getElementById(`text-${this.#current}`);
    this.#shut();
    claim?.scrollIntoView({ block: "nearest" });
    claim?.focus({ preventScroll: true });
    this.#shut(); // the focus opened it again
    this.#kept = false;
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#help.open) return;
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "?") this.#help.showModal();
    else if (event.key === "j") this.#walk(1);
    else if (event.key === "k") this.#walk(-1);
    else if (event.key === "Escape" && this.#current) this.#close();
    else if (event.key === "Enter" && this.#current && !event.target.closest("a, button, summary")) this.#enter();
    else return;
    event.preventDefault();
  }

  /** Go to the next or previous claim that the filter shows, in the order of their numbers. */
  #walk(step) {
    const shown = [...this.#main.querySelectorAll(".entry")].filter((card) => card.checkVisibility());
    const numbers = shown.map((card) => Number(card.id.slice("claim-".length))).sort((one, other) => one - other);
    if (!numbers.length) return;
    const here = Number(this.#current ?? (step > 0 ? -Infinity : Infinity));
    const ahead = step > 0 ? numbers.find((number) => number > here) : numbers.findLast((number) => number < here);
    const next = ahead ?? numbers.at(step > 0 ? 0 : -1);
    this.#open(String(next), { keep: true });
    document.activeElement?.blur();
  }

  #enter() {
    this.#open(this.#current, { keep: true });
    this.#card(this.#current).querySelector(":scope > details > summary").focus();
  }
}
