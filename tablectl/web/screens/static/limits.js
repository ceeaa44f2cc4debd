// New limits: only the bets that were changed are sent, with the second person beside them.
"use strict";

const limitsForm = document.querySelector("[data-limits]");

function changedLimits() {
  const changed = {};
  for (const row of limitsForm.querySelectorAll("tr[data-bet]")) {
    const inputs = [...row.querySelectorAll("input")];
    if (inputs.every((input) => input.value.trim() === input.dataset.before)) continue;
    changed[row.dataset.bet] = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  }
  return changed;
}

// What came of it stands on the page that is loaded then: in force, or waiting. Where it was refused, why is said, and what was typed stays.
async function changeLimits(event) {
  event.preventDefault();
  event.stopPropagation();
  const limits = changedLimits();
  const isNew = Object.keys(limits).length > 0;
  limitsForm.querySelector(".nothing-new").hidden = isNew;
  if (!isNew || !limitsForm.reportValidity()) return;
  const second = secondOf(limitsForm);
  const before = enteredSeq;
  const isTaken = await enter({ page: "pit", act: "limits", limits, second }, event.submitter);
  if (isTaken && enteredSeq !== before) location.search = new URLSearchParams({ seq: enteredSeq }).toString();
}

limitsForm?.addEventListener("submit", changeLimits);

// Nobody has said which limits there are: the page asks again until somebody does.
const AGAIN_MS = 2000;
if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), AGAIN_MS);
