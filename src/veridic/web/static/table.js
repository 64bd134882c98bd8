// Columns of the evidence table sort by a button in their heads. Without script it is a plain table.

let chosen = null; // { column, ascending }: kept while the page is brought up to date

function compare(type, ascending) {
  const direction = ascending ? 1 : -1;
  return (one, other) => {
    if (one === other) return 0;
    // What is not known stays last, whichever way the rest is sorted.
    if (one === "") return 1;
    if (other === "") return -1;
    return direction * (type === "number" ? one - other : one.localeCompare(other));
  };
}

function arrange(table) {
  const headers = [...table.tHead.rows[0].cells];
  const header = headers[chosen.column];
  const inOrder = compare(header.dataset.type, chosen.ascending);
  const value = (row) => row.cells[chosen.column].dataset.sort;
  const rows = [...table.tBodies[0].rows].sort((one, other) => inOrder(value(one), value(other)));
  table.tBodies[0].append(...rows);
  for (const other of headers) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", chosen.ascending ? "ascending" : "descending");
}

function choose(table, header) {
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  chosen = { column: header.cellIndex, ascending };
  arrange(table);
  const name = header.dataset.name ?? header.textContent;
  document.getElementById("sorted").textContent = `Sorted by ${name}, ${ascending ? "ascending" : "descending"}.`;
}

function addButton(table, header) {
  if (header.querySelector("button")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = header.textContent;
  if (header.dataset.name) button.setAttribute("aria-label", header.dataset.name);
  button.addEventListener("click", () => choose(table, header));
  header.replaceChildren(button);
}

/** Make the table sortable, and sort it again where a reader had chosen a column. */
export function makeSortable(table) {
  if (!table) return;
  for (const header of table.tHead.rows[0].cells) addButton(table, header);
  table.classList.add("sortable");
  if (chosen) arrange(table);
}
