// Shows what was checked before of a check's claims in its page; without scripts, the link leads there.

for (const link of document.querySelectorAll("a[data-shows=earlier]")) {
  const place = link.closest("section");
  fetch(link.href, { headers: { Accept: "text/html" } })
    .then(async (answer) => {
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("earlier-checks");
      if (found) place.replaceChildren(found);
    })
    .catch(() => {}); // the link stays
}
