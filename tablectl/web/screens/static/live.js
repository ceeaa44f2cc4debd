// Keeps a page live: swaps the parts the server sends, says at once when it hears nothing, and sends entries.
"use strict";

const SILENCE_MS = 2500;
const page = document.body.dataset.page;
const language = document.body.dataset.lang;
const lostPage = document.getElementById("lost-page");
const lostController = document.getElementById("lost-controller");
const said = document.getElementById("said");
const saidText = document.getElementById("said-text");
let heardAt = performance.now();
// A refusal that was put away here, by the record it stands in.
let awaySeq = "";
// What was asked when a finger or a key went down, and where: that is what whoever pressed had seen.
let seenAtTouch = null;
// The last press that was sent on.
let lastPress = null;
// How many entries were sent, and how many when something was said last: what is taken later takes it away.
let entriesSent = 0;
let saidAfter = 0;
// Why, where that may change without an entry: who is not at the table may be there soon.
let saidWhy = "";
// The record of the last entry that was taken: a page that is loaded again can wait for it.
let enteredSeq = 0;
// What a finger is on, and what came meanwhile for the part in which it stands: a control that is replaced before the
// finger is lifted gets no click, and the press would be lost.
let underFinger = null;
let fingerTimer = 0;
const heldBack = new Map();
let controllerThere = !document.body.classList.contains("stale");

function connection(alive) {
  lostPage.hidden = alive;
  document.body.classList.toggle("stale", !alive || !controllerThere);
}

function heard() {
  heardAt = performance.now();
  connection(true);
}

// How to find a control again in what replaces it: by its id, or by what it does.
function handleOf(element) {
  if (element.id) return `#${element.id}`;
  const marks = ["key", "act", "fill", "amount", "incident", "remedy", "what", "seat", "bettor", "action", "reason"];
  const said = marks.filter((mark) => mark in element.dataset).map((mark) => `[data-${mark}="${CSS.escape(element.dataset[mark])}"]`);
  const named = ["name", "value", "type", "href", "rel"].filter((name) => element.hasAttribute(name));
  said.push(...named.map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`));
  return `${element.tagName.toLowerCase()}${said.join("")}`;
}

// What a person is typing, has chosen or has opened, and where he is, outlives the swap of the part it stands in.
function swap(name, html) {
  const part = document.querySelector(`[data-part="${name}"]`);
  if (!part) return;
  if (underFinger && part.contains(underFinger)) {
    heldBack.set(name, html);
    return;
  }
  const typed = new Map([...part.querySelectorAll("input[id]:not([type=checkbox]), select[id]")].map((input) => [input.id, input.value]));
  const opened = [...part.querySelectorAll("details[open][id]")].map((details) => details.id);
  const chosen = [...part.querySelectorAll("input[type=radio]:checked")].map(handleOf);
  const focused = part.contains(document.activeElement) ? handleOf(document.activeElement) : "";
  part.innerHTML = html;
  if (name === "staff" && saidWhy === "not-at-table") said.hidden = true;
  showClock();
  for (const [id, value] of typed) {
    const input = document.getElementById(id);
    if (input) input.value = value;
  }
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  for (const handle of chosen) {
    const choice = part.querySelector(handle);
    if (choice) choice.checked = true;
  }
  if (focused) part.querySelector(focused)?.focus();
  putAway(part);
  repeatAmounts(part);
}

const TOUCH_MOST_MS = 3000;
// The click of a finger comes a moment after it was lifted.
const CLICK_MS = 300;

// Whatever is under the finger stays held back.
function swapHeldBack() {
  const parts = [...heldBack];
  heldBack.clear();
  for (const [name, html] of parts) swap(name, html);
}

function releaseAfter(ms) {
  clearTimeout(fingerTimer);
  fingerTimer = setTimeout(() => {
    underFinger = null;
    swapHeldBack();
  }, ms);
}

document.addEventListener("pointerdown", (event) => {
  underFinger = event.target.closest?.("button,a,input,label,summary") ?? null;
  swapHeldBack();
  releaseAfter(TOUCH_MOST_MS);
}, true);
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, () => { if (underFinger) releaseAfter(CLICK_MS); }, true);
document.addEventListener("click", () => { if (underFinger) releaseAfter(0); }, true);

// The session is over: whoever comes next signs on, and is led back here.
function signOn() {
  location.assign(`/sign-on?next=${encodeURIComponent(location.pathname + location.search)}`);
  return false;
}

// An event stream that is refused does not say why. A page that leads away says it.
async function followAgain() {
  try {
    const answer = await fetch(location.pathname, { redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 403) {
      signOn();
      return;
    }
  } catch {
    // nobody there: the next try comes
  }
  setTimeout(follow, 1000);
}

function follow() {
  const source = new EventSource(`/events?page=${page}&lang=${language}`);
  source.addEventListener("parts", (event) => {
    for (const [name, html] of Object.entries(JSON.parse(event.data))) swap(name, html);
    document.body.classList.add("followed");
    heard();
  });
  source.addEventListener("beat", (event) => {
    const beat = JSON.parse(event.data);
    controllerThere = beat.controller;
    setClock(beat.now_ms);
    lostController.hidden = beat.controller || beat.tilt;
    heard();
  });
  // The server lets nobody in for good: the page asks again, with what its browser sends now.
  source.addEventListener("again", () => {
    source.close();
    follow();
  });
  source.addEventListener("over", () => {
    source.close();
    signOn();
  });
  source.onerror = () => {
    connection(false);
    if (source.readyState === EventSource.CLOSED) followAgain();
  };
}

// Why something was not entered: it stays until somebody puts it away, the next entry is taken, or it is not true any more.
function tell(sentences, why = "") {
  saidWhy = why;
  saidText.replaceChildren(...sentences.map((sentence) => Object.assign(document.createElement("span"), { textContent: sentence })));
  saidAfter = entriesSent;
  said.hidden = false;
}

// What came of an entry: why it was not taken, or that nothing is wrong any more.
function answered({ reply, number }) {
  if (reply.says || !reply.ok) tell(reply.says ?? [reply.error], reply.error);
  else if (!reply.refused && number > saidAfter) said.hidden = true;
}

function putAway(part) {
  for (const refusal of part.querySelectorAll("[data-refusal]")) refusal.hidden = refusal.dataset.seq === awaySeq;
}

// --- presses ---------------------------------------------------------------------------------------------------------

// How far a finger that bounces comes down from where it was, in CSS pixels.
const SPOT_PX = 30;
// What counts only for the prompt that was seen.
const ofThePrompt = new Set(["press", "act", "chips", "bet", "standing"]);
// Of these, boxes are filled in one after the other at one prompt: none is the same press again.
const ofBoxes = new Set(["bet", "standing"]);

// What the page asks now: since which record, about which seat.
function asked() {
  const found = document.querySelector(".instruction[data-since]")?.dataset;
  if (!found) return { since: 0, seat: null, digits: false, repeatMs: 0 };
  return {
    since: Number(found.since),
    seat: found.asked ? Number(found.asked) : null,
    digits: "digits" in found,
    repeatMs: Number(found.repeatMs),
  };
}

for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, (event) => { seenAtTouch = { ...asked(), x: event.clientX, y: event.clientY }; }, true);
}

// The same key or the same place again, before anybody can have seen that another seat is asked by now. Digits can well be said twice.
function isRepeated(entry, event) {
  const now = (event.isTrusted && seenAtTouch) || asked();
  const what = entry.key ?? `${entry.act} ${entry.action ?? ""}`;
  if (lastPress && !(now.digits && what.startsWith("seat-"))) {
    const isSame = what === lastPress.what || Math.hypot(now.x - lastPress.x, now.y - lastPress.y) <= SPOT_PX;
    if (isSame && now.seat !== lastPress.seat && event.timeStamp - lastPress.at < now.repeatMs) return true;
  }
  lastPress = { ...now, what, at: event.timeStamp };
  return false;
}

// An entry that somebody pressed: with the prompt that was seen, and not at all where the press is the last one again.
function pressed(entry, button, event) {
  if (!ofThePrompt.has(entry.act)) return enter(entry, button);
  if (ofBoxes.has(entry.act)) {
    const { since, seat } = (event.isTrusted && seenAtTouch) || asked();
    return enter({ ...entry, prompt: { since, seat } }, button);
  }
  if (isRepeated(entry, event)) {
    tell([...document.getElementById("repeated").content.children].map((line) => line.textContent));
    return Promise.resolve(false);
  }
  return enter({ ...entry, prompt: { since: lastPress.since, seat: lastPress.seat } }, button);
}

async function enter(entry, button) {
  button?.classList.add("sent");
  const answer = await send(entry);
  button?.classList.remove("sent");
  if (answer === null) return false;
  if (answer.status === 401) return signOn();
  const { reply } = answer;
  answered(answer);
  if (!reply.ok || reply.refused) blink(entry.key);
  return reply.ok && !reply.refused;
}

// What the screens answer to an entry; null where they do not.
async function send(entry) {
  const number = (entriesSent += 1);
  try {
    if (entry.second?.secret === "") {
      const asked = await signByPasskey(entry);
      if (!asked.second) return { status: 403, reply: asked, number };
      entry = { ...entry, second: asked.second };
    }
    const answer = await fetch(`/enter?lang=${language}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Tablectl": document.querySelector('meta[name="csrf"]')?.content ?? "" },
      body: JSON.stringify({ page, ...entry }),
    });
    const reply = await answer.json();
    enteredSeq = reply.seq ?? enteredSeq;
    return { status: answer.status, reply, number };
  } catch {
    connection(false);
    return null;
  }
}

// A second person who types no password signs with a passkey: what is to be signed comes from the table, and names this
// entry alone. Without a passkey, why not.
async function signByPasskey(entry) {
  const { name } = entry.second;
  const answer = await fetch(`/enter/sign?lang=${language}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Tablectl": document.querySelector('meta[name="csrf"]')?.content ?? "" },
    body: JSON.stringify({ page, ...entry, second: { name } }),
  });
  const asked = await answer.json();
  if (!asked.ok) return asked;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.publicKey);
  const signed = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (signed === null) return { ok: false, says: [...document.getElementById("no-passkey").content.children].map((line) => line.textContent) };
  const { id: credential, response } = signed.toJSON();
  const passkey = {
    nonce: asked.nonce,
    credential,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  };
  return { second: { name, passkey } };
}

// Who signs beside whoever is signed on, as typed into a form; the secret does not stay there.
function secondOf(form) {
  const secret = form.elements["second-secret"];
  const second = { name: form.elements["second-name"].value.trim(), secret: secret?.value ?? "" };
  if (secret) secret.value = "";
  return second;
}

function blink(key) {
  const button = key && document.querySelector(`[data-key="${key}"]`);
  if (!button) return;
  button.classList.add("refused");
  setTimeout(() => button.classList.remove("refused"), 1500);
}

// Without a seat an action is that of whose turn it is.
function seatOf(element) {
  return element.dataset.seat ? { seat: Number(element.dataset.seat) } : {};
}

// What a form of a circle game enters, by its name; an empty field is not said.
const circleForms = {
  act: (form, fields, submitter) => ({ act: "act", action: submitter.value, to: fields.get("to"), ...seatOf(form) }),
  chips: (form, fields) => ({
    act: "chips",
    ...seatOf(form),
    amount: fields.get("amount"),
    single: fields.has("single"),
    ...(fields.get("said") ? { said: fields.get("said") } : {}),
    ...(fields.get("said_to").trim() ? { said_to: fields.get("said_to") } : {}),
  }),
  people: (_form, fields) => ({ act: "stack", seat: Number(fields.get("seat")), amount: fields.get("amount") }),
};

function entryOf(button) {
  const { act, key, incident, remedy, alarm } = button.dataset;
  if (act === "press") return { act, key };
  if (act === "acknowledge") return alarm ? { act, alarm } : { act, incident: Number(incident) };
  if (act === "rule") {
    return { act, incident: Number(incident), remedy, reason: document.getElementById(`reason-${incident}`)?.value ?? "" };
  }
  if (act === "player" || act === "button") {
    const seat = Number(new FormData(button.form).get("seat"));
    return act === "button" ? { act, seat } : { act, seat, what: button.dataset.what };
  }
  if (act === "declare") {
    const { declares: what, draw, entry } = button.dataset;
    return { act, what, ...(entry === undefined ? { draw: Number(draw) } : { entry: Number(entry) }) };
  }
  if (act === "act") return { act, action: button.dataset.action, all_in: true, ...seatOf(button) };
  if (button.dataset.bettor) return { act, seat: Number(button.dataset.seat), bettor: Number(button.dataset.bettor) };
  if (act === "remove") return { act, seat: Number(button.dataset.seat ?? new FormData(button.form).get("seat")) };
  if (act === "call" && button.dataset.reason) return { act, reason: button.dataset.reason };
  return { act };
}

// A remedy that takes a reason is not entered without one: the page says so, and the place to write it is ready.
function lacksReason(button) {
  const field = button.dataset.needsReason ? document.getElementById(`reason-${button.dataset.incident}`) : null;
  if (!field || field.value.trim()) return false;
  document.getElementById(field.getAttribute("aria-describedby")).hidden = false;
  field.focus();
  return true;
}

document.addEventListener("click", (event) => {
  const fill = event.target.closest("[data-fill]");
  if (fill) {
    document.getElementById(fill.dataset.fill).value = fill.dataset.amount;
    repeatAmount(document.getElementById(fill.dataset.fill));
  }
  const button = event.target.closest("[data-act]");
  if (button && lacksReason(button)) return;
  if (button?.dataset.second) window.askSecond(entryOf(button), button);
  else if (button) pressed(entryOf(button), button, event);
  if (event.target.closest("#said-away")) said.hidden = true;
  const refusal = event.target.closest("[data-put-away]")?.closest("[data-refusal]");
  if (refusal) {
    awaySeq = refusal.dataset.seq;
    putAway(document);
  }
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method === "post") return; // it works by itself
  event.preventDefault();
  if (form.dataset.form === "second") return;
  const fields = new FormData(form);
  if (form.dataset.form === "name") {
    enter({ act: "name", slot: form.dataset.slot, card: fields.get("rank") + fields.get("suit") }, event.submitter);
    return;
  }
  if (form.dataset.form in circleForms) {
    const typed = [...form.querySelectorAll("input[inputmode]")];
    if (await pressed(circleForms[form.dataset.form](form, fields, event.submitter), event.submitter, event)) {
      for (const input of typed) {
        input.value = "";
        if (input.id && document.getElementById(input.id)) document.getElementById(input.id).value = "";
      }
      repeatAmounts(document);
    }
    return;
  }
  const seat = Number(fields.get("seat"));
  const amounts = [...form.querySelectorAll("input[inputmode]")];
  const bets = Object.fromEntries(amounts.filter(({ value }) => value.trim() !== "").map(({ name, value }) => [name, value]));
  const standing = event.submitter?.value === "standing";
  const entry = standing ? { act: "standing", seat, bets, consent: fields.has("consent") } : { act: "bet", seat, bets };
  if (await pressed(entry, event.submitter, event)) {
    // The answer may come after the swap that it led to.
    const shown = form.isConnected ? form : document.querySelector(`form[data-form="${form.dataset.form}"]`);
    if (!shown) return;
    for (const input of shown.querySelectorAll("input[inputmode]")) input.value = "";
    repeatAmounts(shown);
    if (shown.elements.consent) shown.elements.consent.checked = false;
    const next = !standing && shown.querySelector(`input[name="seat"][value="${seat + 1}"]`);
    if (next) next.checked = true;
  }
});

// --- amounts ---------------------------------------------------------------------------------------------------------

// What was typed, said again with its currency before it is entered: read where entries are read, and nowhere else.
const echoes = new Map();

function isAmount(element) {
  return element.matches?.("input[inputmode=decimal]");
}

function echoOf(input) {
  const found = input.parentElement.querySelector(`output[data-of="${CSS.escape(input.name)}"]`);
  if (found) return found;
  const made = Object.assign(document.createElement("output"), { className: "echo" });
  made.dataset.of = input.name;
  input.after(made);
  return made;
}

async function repeatAmount(input) {
  const text = input.value.trim();
  if (text && !echoes.has(text)) {
    try {
      const answer = await fetch(`/amount?lang=${language}&text=${encodeURIComponent(text)}`);
      if (answer.ok) echoes.set(text, await answer.json());
    } catch { /* nobody there: the page says so */ }
  }
  if (!input.isConnected || input.value.trim() !== text) return;
  const [echo, read] = [echoOf(input), echoes.get(text)];
  echo.textContent = text && read ? read.says : "";
  echo.classList.toggle("is-wrong", Boolean(text && read && !read.ok));
}

function repeatAmounts(part) {
  for (const input of part.querySelectorAll("input[inputmode=decimal]")) {
    if (input.value !== input.defaultValue || input.parentElement.querySelector("output.echo")) repeatAmount(input);
  }
}

document.addEventListener("input", (event) => { if (isAmount(event.target)) repeatAmount(event.target); });

if (document.querySelector("[data-part]")) {
  follow();
  setInterval(() => { if (performance.now() - heardAt > SILENCE_MS) connection(false); }, 250);
}
