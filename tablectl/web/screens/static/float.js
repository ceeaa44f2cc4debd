// What lies in the tray, came or went: entered as chips of each denomination or as an amount; and a form that is printed.
// What came of an entry stands on the page that is loaded then.
"use strict";

const floatForm = document.querySelector("[data-float]");
const chipCounts = [...document.querySelectorAll("input[data-value]")];

// What was typed, by denomination; a field that is left empty is none.
function countedChips() {
  return Object.fromEntries(chipCounts.filter((input) => input.value.trim()).map((input) => [input.dataset.value, input.value.trim()]));
}

async function enterFloat(event) {
  event.preventDefault();
  event.stopPropagation();
  if (!floatForm.reportValidity()) return;
  const said = chipCounts.length ? { chips: countedChips() } : { amount: floatForm.elements.amount.value.trim() };
  const entry = { page: "pit", act: "float", what: floatForm.elements.what.value, ...said };
  if (floatForm.elements["second-name"]) entry.second = secondOf(floatForm);
  if (await enter(entry, event.submitter)) location.search = new URLSearchParams({ seq: enteredSeq }).toString();
}

floatForm?.addEventListener("submit", enterFloat);

// Which question is the newest: an older answer may come later.
let sumsAsked = 0;

// The server adds up, and writes money as the language does; what is no number has no sum.
async function showSums() {
  const asked = (sumsAsked += 1);
  const answer = await fetch(`/pit/float/sums?${new URLSearchParams({ ...countedChips(), lang: language })}`).catch(() => null);
  const told = answer?.ok ? await answer.json() : { sums: {}, total: "—" };
  if (asked !== sumsAsked) return;
  for (const output of document.querySelectorAll("output[data-sum]")) output.value = told.sums[output.dataset.sum] ?? "";
  document.querySelector("output[data-total]").value = told.total;
}

for (const input of chipCounts) input.addEventListener("input", showSums);

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());

// Nobody has said what lies there: the page asks again until somebody does.
const ASK_AGAIN_MS = 2000;
if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), ASK_AGAIN_MS);
