// An entry of the hand is put right: what would follow is shown first, then two persons sign it.
"use strict";

const correctionForm = document.querySelector("[data-correction]");

function correction() {
  const { number, instead, amount, card, reason } = correctionForm.elements;
  const chosen = instead.selectedOptions[0];
  const entry = JSON.parse(instead.value);
  if (chosen.dataset.amount !== undefined) {
    if (entry.bets) entry.bets = Object.fromEntries(Object.keys(entry.bets).map((bet) => [bet, amount.value]));
    else if (amount.value.trim() !== "") entry.to = amount.value;
  }
  const made = { page: "pit", act: "correct", number: Number(number.value), instead: entry, reason: reason.value.trim() };
  return chosen.dataset.card === undefined ? made : { ...made, card: card.value.trim() };
}

// Another choice is another correction: whoever signs has seen what follows from this one.
function chosenAnew() {
  correctionForm.querySelector(".follows").hidden = true;
  correctionForm.querySelector(".signed").hidden = true;
}

function entryChosen() {
  const { number, instead } = correctionForm.elements;
  for (const option of instead.options) {
    if (option.dataset.number === undefined) continue;
    option.hidden = option.disabled = option.dataset.number !== number.value;
  }
  instead.selectedIndex = 0;
  insteadChosen();
}

function insteadChosen() {
  const chosen = correctionForm.elements.instead.selectedOptions[0];
  correctionForm.querySelector(".amount").hidden = chosen.dataset.amount === undefined;
  correctionForm.querySelector(".card-code").hidden = chosen.dataset.card === undefined;
  chosenAnew();
}

// A list's line in the languages of the page.
function sentence(texts) {
  const [line, both] = [document.createElement("li"), Object.assign(document.createElement("span"), { className: "both" })];
  both.append(...texts.map((text, at) => Object.assign(document.createElement("span"), { className: at ? "second" : "first", textContent: text })));
  line.append(both);
  return line;
}

function fill(reply) {
  let isAny = false;
  for (const part of correctionForm.querySelectorAll(".follows [data-list]")) {
    const told = reply[part.dataset.list];
    part.querySelector("ul").replaceChildren(...told.map(sentence));
    part.hidden = told.length === 0;
    isAny ||= told.length > 0;
  }
  correctionForm.querySelector(".follows .same").hidden = isAny;
  correctionForm.querySelector(".follows").hidden = false;
  correctionForm.querySelector(".signed").hidden = false;
}

async function look() {
  const { number, reason } = correctionForm.elements;
  if (!(number.value ?? "") || !reason.reportValidity()) return;
  chosenAnew();
  const answer = await fetch(`/correction?lang=${language}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Tablectl": document.querySelector('meta[name="csrf"]')?.content ?? "" },
    body: JSON.stringify(correction()),
  }).catch(() => null);
  if (answer === null) return connection(false);
  if (answer.status === 401) return signOn();
  const reply = await answer.json();
  if (reply.ok) fill(reply);
  else answered({ status: answer.status, reply, number: 0 });
}

async function correct(event) {
  event.preventDefault();
  event.stopPropagation();
  if (!correctionForm.reportValidity()) return;
  const entry = correction();
  if (correctionForm.elements["second-name"]) entry.second = secondOf(correctionForm);
  const isTaken = await enter(entry, event.submitter);
  if (isTaken) location.href = "/pit";
}

if (correctionForm) {
  correctionForm.addEventListener("submit", correct);
  correctionForm.querySelector(".look").addEventListener("click", look);
  correctionForm.querySelector(".entries").addEventListener("change", entryChosen);
  correctionForm.elements.instead.addEventListener("change", insteadChosen);
  if (correctionForm.elements.number.value) entryChosen();
  for (const name of ["amount", "card", "reason"]) correctionForm.elements[name].addEventListener("input", chosenAnew);
}
if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), 2000);
