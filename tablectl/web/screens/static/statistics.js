// The filters of the statistics lead to an address: it can be kept, sent on, and opened again.
"use strict";

function showChosen(form) {
  const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
  location.search = new URLSearchParams(chosen).toString();
}

for (const form of document.querySelectorAll("[data-filters]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    showChosen(form);
  });
}
