// The pages of the desk work without scripts. This measures the time that a claim is open and active, and moves the focus to
// what went wrong.

import "./large_text.js";

const IDLE_AFTER = 120_000; // milliseconds without a key, a click or a movement: somebody went for coffee
const TICK = 1000;

function words(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Count the seconds while the page is visible and used; kept in the tab, so that a reload loses none. */
export function measureTime(form) {
  const field = form.elements.seconds;
  const shown = form.querySelector(".time-spent");
  const key = `veridic-claim-${form.dataset.claim}-${form.elements.version.value}`;
  let spent = Number(field.value || sessionStorage.getItem(key)) || 0; // seconds, with fractions
  let active = performance.now();
  let last = active;
  const show = () => {
    const whole = Math.floor(spent);
    field.value = String(whole);
    shown.textContent = `${shown.dataset.label} ${words(whole)}`;
  };
  const tick = () => {
    const now = performance.now();
    const open = document.visibilityState === "visible" && form.checkVisibility();
    if (open && now - active < IDLE_AFTER) spent += (now - last) / 1000;
    last = now;
    sessionStorage.setItem(key, String(spent));
    show();
  };
  for (const kind of ["keydown", "pointerdown", "pointermove", "scroll", "input"]) {
    addEventListener(kind, () => (active = performance.now()), { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => (last = performance.now()));
  form.addEventListener("submit", tick);
  const ticking = setInterval(() => (form.isConnected ? tick() : clearInterval(ticking)), TICK);
  show();
}

/** A reader of the screen hears first what was refused. */
function focusOnProblem() {
  document.querySelector("main [role=alert][tabindex]")?.focus();
}

const form = document.getElementById("verdict");
if (form) measureTime(form);
focusOnProblem();
