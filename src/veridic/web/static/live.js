// Follows a run: every event the server logs is a reason to fetch this same page again and take over what changed.
// So a page that was watched, one that was reloaded and one that is opened later are the same page.

import { update } from "./morph.js";

const EVENTS = [
  "check_started", "claims_extracted", "claim_started", "search_completed", "claim_decided", "usage_updated",
  "stage_failed", "report_ready",
  "factcheck_start", "generate_start", "generate_complete", "extract_start", "extract_complete", "verify_start",
  "checker_complete", "all_checkers_complete", "report_start", "report_complete", "title_complete",
];
const SLOWEST_RETRY_MS = 15_000;
const LOOK_AGAIN_MS = 3_000;

export class Live {
  #main;
  #afterUpdate;
  #source = null;
  #fetching = false;
  #stale = false;
  #lost = false;
  #retryMs = 1_000;
  #lookAgain = null;
  #seen = 0; // the number of the last event that arrived

  constructor(main, afterUpdate) {
    this.#main = main;
    this.#afterUpdate = afterUpdate;
  }

  get #running() {
    return "running" in this.#main.dataset;
  }

  follow() {
    if (!this.#running) return;
    const { run, after } = this.#main.dataset;
    this.#source?.close();
    this.#source = new EventSource(`/api/checks/${encodeURIComponent(run)}/events?after=${encodeURIComponent(after)}`);
    for (const name of EVENTS) this.#source.addEventListener(name, (event) => this.#happened(event));
    this.#source.addEventListener("complete", (event) => this.#ended(event));
    // A run's own `error` event carries data; a lost connection does not.
    this.#source.addEventListener("error", (event) => ("data" in event ? this.#ended(event) : this.#connectionLost()));
    this.#source.addEventListener("open", () => this.#connected());
    this.#lookAgainLater();
  }

  #happened(event) {
    this.#seen = Math.max(this.#seen, Number(event.lastEventId) || 0);
    this.#refresh();
  }

  /** Nothing comes after it, and everything is saved before it. */
  #ended(event) {
    this.#source.close();
    this.#happened(event);
  }

  #connected() {
    this.#retryMs = 1_000;
    if (this.#lost) this.#refresh();
    this.#say("");
    this.#lost = false;
  }

  #connectionLost() {
    this.#lost = true;
    this.#say("Connection lost, reconnecting …");
    // A browser gives up where the server answers with an error: then it is asked again, less and less often.
    if (this.#source.readyState === EventSource.CLOSED) this.#tryLater();
  }

  #tryLater() {
    setTimeout(() => this.#tryAgain(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, SLOWEST_RETRY_MS);
  }

  async #tryAgain() {
    await this.#refresh();
    this.follow();
  }

  async #refresh() {
    this.#stale = true;
    if (this.#fetching) return;
    this.#fetching = true;
    while (this.#stale) {
      this.#stale = false;
      await this.#takeOver();
    }
    this.#fetching = false;
    this.#lookAgainLater();
    if (!this.#running) this.#finish();
    else if (this.#source.readyState === EventSource.CLOSED && !this.#lost) this.#connectionLost();
  }

  /** A checker that fails is on the page, and in no event. */
  #lookAgainLater() {
    clearTimeout(this.#lookAgain);
    if (this.#running && "awaitsCheckers" in this.#main.dataset) {
      this.#lookAgain = setTimeout(() => this.#refresh(), LOOK_AGAIN_MS);
    }
  }

  async #takeOver() {
    let answer;
    try {
      answer = await fetch(`${location.pathname}?seen=${this.#seen}`, { headers: { Accept: "text/html" }, cache: "no-store" });
    } catch {
      return; // whoever reconnects asks again
    }
    if (answer.redirected) location.reload(); // signed out meanwhile
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const newer = page.getElementById("main");
    if (!newer) return;
    newer.querySelector("#connection").textContent = this.#main.querySelector("#connection").textContent;
    document.title = page.title;
    update(this.#main, newer);
    this.#afterUpdate();
  }

  #finish() {
    this.#source.close();
    this.#lost = false;
    this.#say("");
  }

  #say(text) {
    const line = this.#main.querySelector("#connection");
    if (line.textContent !== text) line.textContent = text;
  }
}
