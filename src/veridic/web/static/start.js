// Keeps the line on what will be asked up to date, and estimates the cost without leaving the page.

import "./large_text.js";

const WAIT_MS = 300;
const CONTENT = ["text", "file", "url", "sources"];

const form = document.querySelector("form.order");
let latest = 0;

async function ask(fields) {
  const turn = ++latest;
  const answer = await fetch("/estimate", { method: "POST", body: fields, headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (turn !== latest) return;
  const line = page.querySelector("#asked");
  const problem = page.querySelector(".mistakes ul")?.textContent.trim() ?? page.querySelector("main .lead")?.textContent;
  if (answer.ok && line) document.querySelector("#asked").replaceChildren(...line.childNodes);
  else if (problem) document.querySelector("#asked p").textContent = problem;
  document.querySelector(".settings > summary .hint").textContent =
    page.querySelector(".settings > summary .hint")?.textContent ?? "";
}

function choices() {
  const fields = new FormData(form);
  for (const name of CONTENT) fields.delete(name);
  return fields;
}

let timer = 0;
form.addEventListener("change", (event) => {
  if (CONTENT.includes(event.target.name)) return;
  clearTimeout(timer);
  timer = setTimeout(() => ask(choices()).catch(() => {}), WAIT_MS);
});

form.addEventListener("submit", (event) => {
  if (!event.submitter?.formAction.endsWith("/estimate")) return;
  event.preventDefault();
  document.querySelector("#asked p").textContent = "Counting the claims …";
  const fields = new FormData(form);
  fields.delete("sources");
  ask(fields).catch(() => { document.querySelector("#asked p").textContent = "The server can't be reached; try again."; });
});
