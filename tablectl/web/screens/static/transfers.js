// Chips that one seat gives another for a claim that was upheld; what lies there then stands on the page that is loaded.
"use strict";

async function transfer(event) {
  event.preventDefault();
  event.stopPropagation();
  const form = event.currentTarget;
  if (!form.reportValidity()) return;
  const { giver, taker, amount } = form.elements;
  const entry = { page: "pit", act: "transfer", incident: Number(form.dataset.transfer), giver: Number(giver.value), taker: Number(taker.value), amount: amount.value.trim() };
  if (form.elements["second-name"]) entry.second = secondOf(form);
  if (await enter(entry, event.submitter)) location.search = new URLSearchParams({ seq: enteredSeq }).toString();
}

for (const form of document.querySelectorAll("[data-transfer]")) form.addEventListener("submit", transfer);
