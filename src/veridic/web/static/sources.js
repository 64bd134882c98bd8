// Sends files to a set in small batches, and shows what became of each. Without this script the form sends them all at once.

import "./large_text.js";

const BATCH_FILES = 20;
const BATCH_BYTES = 4_000_000;
const MOST_FILES = 5_000;
const WORDS = { read: "read", unchanged: "there already", partly_read: "read in part", failed: "not read" };

class Sending {
  #form;
  #list;
  #status;
  #bar;
  #chosen = []; // { file, name }: dropped files, with the folders they came in
  #failures = 0;
  #done = 0;

  constructor(form) {
    this.#form = form;
    const area = form.querySelector(".sending");
    this.#list = area.querySelector("ul");
    this.#status = area.querySelector("[role=status]");
    this.#bar = area.querySelector("progress");
    for (const hidden of form.querySelectorAll(".scripted")) hidden.hidden = false;
    this.#listen();
  }

  #listen() {
    const form = this.#form;
    const drop = form.querySelector(".drop");
    form.addEventListener("submit", (event) => this.#submit(event));
    for (const input of form.querySelectorAll("input[type=file]")) {
      input.addEventListener("change", () => {
        this.#choose([...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name })));
        input.value = "";
      });
    }
    form.addEventListener("dragover", (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      drop.classList.add("over");
    });
    form.addEventListener("dragleave", () => drop.classList.remove("over"));
    form.addEventListener("drop", async (event) => {
      drop.classList.remove("over");
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      this.#choose(await dropped(event.dataTransfer));
    });
  }

  #choose(files) {
    const seen = files.filter(({ name }) => !name.split("/").some((part) => part.startsWith(".")));
    const room = MOST_FILES - this.#chosen.length;
    for (const one of seen.slice(0, room)) this.#chosen.push({ ...one, row: this.#row(one.name) });
    this.#form.querySelector(".sending").hidden = !this.#chosen.length;
    const left = seen.length - room;
    this.#say(
      left > 0
        ? `At most ${MOST_FILES} files can be sent at once; ${left} of these are left out.`
        : `${count(this.#chosen.length)} chosen.`,
    );
  }

  #row(name) {
    const row = this.#list.appendChild(document.createElement("li"));
    const [label, state] = ["bdi", "span"].map((tag) => row.appendChild(document.createElement(tag)));
    label.textContent = name;
    state.className = "state";
    state.textContent = "waiting";
    return row;
  }

  async #submit(event) {
    if (!this.#chosen.length) return; // a text or addresses: the form does it
    event.preventDefault();
    const button = this.#form.querySelector("button.main");
    button.disabled = true;
    try {
      const set = await this.#sendFields();
      if (set) await this.#sendFiles(set);
    } catch {
      this.#refuse("The server can't be reached; try again.");
    }
    button.disabled = false;
  }

  // The name of a new set, a pasted text and addresses; returns the set's name, or null if the server refused.
  async #sendFields() {
    const fields = new FormData(this.#form);
    fields.delete("file");
    const text = (name) => String(fields.get(name) ?? "").trim();
    if (this.#form.dataset.set && !text("text") && !text("urls")) return this.#form.dataset.set;
    const answer = await fetch(this.#form.action, { method: "POST", body: fields });
    if (answer.ok) return decodeURIComponent(new URL(answer.url).pathname.split("/")[2]);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.#refuse(page.querySelector(".mistakes .sentence, main .lead")?.textContent ?? "It was refused.");
    return null;
  }

  #refuse(sentence) {
    const box = this.#form.querySelector(".mistakes");
    box.querySelector(".sentence").textContent = sentence;
    box.hidden = false;
    box.scrollIntoView({ block: "nearest" });
  }

  async #sendFiles(set) {
    const files = this.#chosen.splice(0);
    this.#failures = this.#done = 0;
    this.#bar.max = files.length;
    for (const batch of batches(files, Number(this.#form.dataset.mostBytes), (one, why) => this.#end(one, "failed", why))) {
      this.#say(`${this.#done} of ${count(files.length)} sent …`);
      await this.#sendBatch(set, batch);
    }
    const all = `/sources/${encodeURIComponent(set)}`;
    if (!this.#failures) return location.assign(all);
    this.#say(`${files.length - this.#failures} of ${count(files.length)} read. `);
    const link = this.#status.appendChild(document.createElement("a"));
    link.href = all;
    link.textContent = `Show ${set}`;
    if (!this.#form.dataset.set) await this.#becomeFormOf(set);
  }

  // More goes to the set that was made, and the list of sets has it.
  async #becomeFormOf(set) {
    const form = this.#form;
    form.dataset.set = set;
    form.action = `/sources/${encodeURIComponent(set)}`;
    form.querySelector("button.main").textContent = "Add";
    form.querySelector("h2").textContent = `Add to ${set}`;
    const name = form.querySelector("[name=name]");
    name.value = set;
    name.readOnly = true;
    const page = new DOMParser().parseFromString(await (await fetch("/sources")).text(), "text/html");
    const sets = page.querySelector(".set-list");
    if (sets) document.querySelector(".set-list")?.replaceWith(sets);
  }

  async #sendBatch(set, batch) {
    const body = new FormData();
    for (const { file, name, row } of batch) {
      body.append("file", file, name);
      row.lastChild.textContent = "being read …";
    }
    let said = "";
    try {
      const answer = await fetch(`/api/corpora/${encodeURIComponent(set)}/documents`, { method: "POST", body });
      const { documents, error } = await answer.json();
      documents?.forEach((one, index) => this.#end(batch[index], one.outcome, one.problem, one));
      if (documents) return;
      said = error;
    } catch {
      said = "The server can't be reached.";
    }
    for (const one of batch) this.#end(one, "failed", said);
  }

  #end({ name, row }, outcome, problem, kept = null) {
    this.#done += 1;
    this.#bar.value = this.#done;
    if (outcome === "failed" || outcome === "partly_read") this.#failures += 1;
    row.className = outcome === "partly_read" ? "failed" : outcome;
    const passages = kept?.passages ? `, ${kept.passages} ${kept.passages === 1 ? "passage" : "passages"}` : "";
    const renamed = kept && kept.name !== name ? `, as ${kept.name}` : "";
    row.lastChild.textContent = `${WORDS[outcome]}${problem ? `: ${problem}` : passages}${renamed}`;
  }

  #say(sentence) {
    this.#status.textContent = sentence;
  }
}

function* batches(files, mostBytes, refuse) {
  let batch = [];
  let bytes = 0;
  for (const one of files) {
    if (one.file.size > mostBytes) {
      refuse(one, `it is larger than ${mostBytes / 1e6} MB`);
      continue;
    }
    if (batch.length === BATCH_FILES || (batch.length && bytes + one.file.size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += one.file.size;
  }
  if (batch.length) yield batch;
}

// The files of a drop, those in folders with the folder before their names.
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry, found) {
  if (found.length > MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
    if (file) found.push({ file, name: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!some.length) return;
    for (const one of some) await walk(one, found);
  }
}

function count(files) {
  return `${files} ${files === 1 ? "file" : "files"}`;
}

for (const form of document.querySelectorAll("form.send")) new Sending(form);
