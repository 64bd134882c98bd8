"use strict";

const table = document.querySelector("#evidence table");
const status = document.getElementById("sorted");

function compare(type, ascending) {
  const direction = ascending ? 1 : -1;
  return (one, other) => {
    if (one === other) return 0;
    // Unknown values stay last in either direction.
    if (one === "") return 1;
    if (other === "") return -1;
    return direction * (type === "number" ? one - other : one.localeCompare(other));
  };
}

function sortBy(header) {
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  const column = header.cellIndex;
  const inOrder = compare(header.dataset.type, ascending);
  const value = (row) => row.cells[column].dataset.sort;
  const rows = [...table.tBodies[0].rows].sort((one, other) => inOrder(value(one), value(other)));
  table.tBodies[0].append(...rows);

  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  status.textContent = `Sorted by ${header.textContent}, ${ascending ? "ascending" : "descending"}.`;
}

function makeSortable() {
  for (const header of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    button.addEventListener("click", () => sortBy(header));
    header.replaceChildren(button);
  }
  table.classList.add("sortable");
  document.querySelector(".needs-script").hidden = false;
}

function revealTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) {
    folded.open = true;
  }
  target.scrollIntoView();
}

function unfoldForPrint() {
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)), { once: true });
}

if (table) makeSortable();
addEventListener("hashchange", revealTarget);
addEventListener("beforeprint", unfoldForPrint);
if (location.hash) revealTarget();
