// The filters are links to the same page; with script, they filter at once, and stay in the address all the same.

export class Filter {
  #main;
  #show;

  constructor(main) {
    this.#main = main;
    this.#show = main.dataset.show;
    main.addEventListener("click", (event) => this.#clicked(event));
    addEventListener("popstate", () => this.#choose(new URLSearchParams(location.search).get("show") ?? ""));
  }

  /** Filter again after the page was brought up to date. */
  restore() {
    this.#choose(this.#show);
  }

  #clicked(event) {
    const link = event.target.closest("#tasks a[data-show]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    this.#choose(link.dataset.show);
  }

  #choose(show) {
    const changed = show !== this.#show;
    this.#show = show;
    this.#main.dataset.show = show;
    for (const link of this.#main.querySelectorAll("#tasks a[data-show]")) {
      if (link.dataset.show === show) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const leftOut = document.getElementById("left-out");
    if (changed && show === "not-checked" && leftOut) leftOut.open = true;
  }
}
