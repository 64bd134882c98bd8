import { rateBesidePassages } from "./beside.js";
import { offerCopies } from "./copy.js";
import { Filter } from "./filter.js";
import { followLinksIntoFolds } from "./folds.js";
import { Live } from "./live.js";
import { Reader } from "./reader.js";
import { makeSortable } from "./table.js";

const main = document.getElementById("main");
const filter = new Filter(main);
const reader = new Reader(main, document.getElementById("help"));
const sortable = () => makeSortable(document.querySelector("#evidence table"));

sortable();
offerCopies();
rateBesidePassages(main);
followLinksIntoFolds();
reader.start();
new Live(main, () => {
  sortable();
  filter.restore();
  reader.restore();
}).follow();
