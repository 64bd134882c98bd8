// Follows a run: every event the server logs is a reason to fetch this same page again and take over what changed.
// So a page that was watched, one that was reloaded and one that is opened later are the same page.

import { update } from "./morph.js";

const EVENTS = [
  "check_started", "claims_extracted", "claim_decided", "stage_failed", "report_ready",
  "factcheck_start", "generate_start", "generate_complete", "extract_start", "extract_complete", "verify_start",
  "checker_complete", "all_checkers_complete", "report_start", "report_complete", "title_complete", "complete",
];
const SLOWEST_RETRY_MS = 15_000;

export class Live {
  #main;
  #afterUpdate;
  #source = null;
  #fetching = false;
  #stale = false;
  #lost = false;
  #retryMs = 1_000;
  #seen = 0; // the number of the last event that arrived

  constructor(main, afterUpdate) {
    this.#main = main;
    this.#afterUpdate = afterUpdate;
  }

  get #running() {
    return this.#main.dataset.state === "running";
  }

  follow() {
    if (!this.#running) return;
    const { run, after } = this.#main.dataset;
    this.#source?.close();
    this.#source = new EventSource(`/api/checks/${encodeURIComponent(run)}/events?after=${encodeURIComponent(after)}`);
    for (const name of EVENTS) this.#source.addEventListener(name, (event) => this.#happened(event));
    // A run's own `error` event carries data; a lost connection does not.
    this.#source.addEventListener("error", (event) =>
      "data" in event ? this.#happened(event) : this.#connectionLost(),
    );
    this.#source.addEventListener("open", () => this.#connected());
  }

  #happened(event) {
    this.#seen = Math.max(this.#seen, Number(event.lastEventId) || 0);
    this.#refresh();
  }

  #connected() {
    this.#retryMs = 1_000;
    if (this.#lost) this.#refresh();
    this.#say("");
    this.#lost = false;
  }

  #connectionLost() {
    this.#lost = true;
    if (this.#source.readyState !== EventSource.CLOSED) {
      this.#say("Connection lost, reconnecting …");
      this.#refresh(); // the server also closes the stream when the run has ended
      return;
    }
    this.#say("Connection lost, reconnecting …");
    setTimeout(() => this.#again(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, SLOWEST_RETRY_MS);
  }

  async #again() {
    await this.#refresh();
    if (this.#running) this.follow();
  }

  async #refresh() {
    this.#stale = true;
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        await this.#takeOver();
      }
    } finally {
      this.#fetching = false;
    }
    if (!this.#running) this.#end();
  }

  async #takeOver() {
    let answer;
    try {
      answer = await fetch(`${location.pathname}?seen=${this.#seen}`, { headers: { Accept: "text/html" }, cache: "no-store" });
    } catch {
      return; // the stream reconnects, and then asks again
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

  #end() {
    this.#source?.close();
    this.#say("");
  }

  #say(text) {
    const line = this.#main.querySelector("#connection");
    if (line.textContent !== text) line.textContent = text;
  }
}
