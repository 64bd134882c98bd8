// Brings a part of the page up to date with a newer version of it, changing only what differs: what a reader has
// unfolded, focused or scrolled to stays as it is. The newer version is a document of our own server, with
// everything from outside escaped there; it is moved over node by node and never parsed from strings here.

const flashing = (element) => {
  element.classList.remove("flash");
  void element.getBoundingClientRect(); // lets the animation begin anew
  element.classList.add("flash");
};

function isReadersOwn(element, name) {
  return (name === "open" && element.localName === "details") || name === "aria-sort";
}

function copyAttributes(from, to) {
  for (const { name, value } of to.attributes) {
    if (isReadersOwn(from, name) || from.getAttribute(name) === value) continue;
    from.setAttribute(name, value);
    if (name === "data-flash" && value) flashing(from);
  }
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !isReadersOwn(from, name)) from.removeAttribute(name);
  }
}

function counterpart(parent, here, wanted) {
  if (wanted.id) return [...parent.children].find((child) => child.id === wanted.id) ?? null;
  const alike = here && here.nodeType === wanted.nodeType && here.nodeName === wanted.nodeName && !here.id;
  return alike ? here : null;
}

function updateChildren(from, to) {
  let here = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const found = counterpart(from, here, wanted);
    if (found === null) {
      from.insertBefore(document.importNode(wanted, true), here);
      continue;
    }
    if (found === here) here = here.nextSibling;
    else from.insertBefore(found, here);
    update(found, wanted);
  }
  while (here !== null) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

/** Make `from`, a node of this page, say what `to` says. */
export function update(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.isEqualNode(to)) return;
  copyAttributes(from, to);
  updateChildren(from, to);
}
