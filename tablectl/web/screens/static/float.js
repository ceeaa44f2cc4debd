// A count of the tray, a fill or a credit; what came of it stands on the page that is loaded then.
"use strict";

const floatForm = document.querySelector("[data-float]");

async function enterFloat(event) {
  event.preventDefault();
  event.stopPropagation();
  if (!floatForm.reportValidity()) return;
  const entry = { page: "pit", act: "float", what: floatForm.elements.what.value, amount: floatForm.elements.amount.value.trim() };
  if (floatForm.elements["second-name"]) entry.second = secondOf(floatForm);
  if (await enter(entry, event.submitter)) location.search = new URLSearchParams({ lang: language, seq: enteredSeq }).toString();
}

floatForm?.addEventListener("submit", enterFloat);

// Nobody has said what lies there: the page asks again until somebody does.
const ASK_AGAIN_MS = 2000;
if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), ASK_AGAIN_MS);
