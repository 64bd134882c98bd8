import { followLinksIntoFolds } from "./folds.js";
import { Live } from "./live.js";
import { makeSortable } from "./table.js";

const sortable = () => makeSortable(document.querySelector("#evidence table"));

sortable();
followLinksIntoFolds();
new Live(document.getElementById("main"), sortable).follow();
