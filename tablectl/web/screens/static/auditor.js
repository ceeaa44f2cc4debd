// The auditor's pages: searches, what goes on in processes of its own, and the request that is signed here.
// The private key is read, used once and forgotten: it is in no request, no storage and no address.
"use strict";

const POLL_MS = 400;
const pageLanguage = document.body.dataset.lang;
const token = document.querySelector('meta[name="csrf"]')?.content;
const box = document.querySelector(".answer-box");

async function post(address, sent) {
  const answer = await fetch(`${address}?lang=${pageLanguage}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token ? { "X-Tablectl": token } : {}) },
    body: JSON.stringify(sent),
    cache: "no-store",
  });
  return answer.json();
}

function line(className, text) {
  return Object.assign(document.createElement("span"), { className, textContent: text });
}

// What was refused, what to do about it, and in whose words the controller said so.
function complain(reply) {
  const lines = [...(reply.says ?? [reply.error]).map((text, at) => line(at ? "second" : "first", text))];
  lines.push(...(reply.do ?? []).map((text, at) => line(["to-do", ...(at ? ["second"] : [])].join(" "), text)));
  if (reply.detail) lines.push(Object.assign(document.createElement("code"), { textContent: reply.seq ? `${reply.detail} (record ${reply.seq})` : reply.detail }));
  box.replaceChildren(...lines);
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
}

function trouble(name) {
  complain({ says: [document.querySelector(`[data-trouble="${name}"]`).textContent] });
}

// --- processes that take their time ----------------------------------------------------------------------------------

const job = document.querySelector("[data-job]");

function showJob(state) {
  const focused = job.contains(document.activeElement) && document.activeElement.matches("[data-stop]");
  job.innerHTML = state.html;
  if (focused) job.querySelector("[data-stop]")?.focus();
  if (state.running) setTimeout(followJob, POLL_MS);
}

async function followJob() {
  try {
    showJob(await (await fetch(`${job.dataset.job}?lang=${pageLanguage}`, { cache: "no-store" })).json());
  } catch {
    setTimeout(followJob, 4 * POLL_MS);
  }
}

async function change(address, sent) {
  box.hidden = true;
  try {
    const state = await post(address, sent);
    if (!state.ok) complain(state);
    else showJob(state);
  } catch (lost) {
    complain({ says: [String(lost)] });
  }
}

if (job?.querySelector("[data-stop]")) followJob();

// --- opening sealed cards --------------------------------------------------------------------------------------------

const opening = document.getElementById("opening");
let prepared = null;

async function prepare(form) {
  const reason = form.elements.reason.value.trim();
  forget();
  const reply = await post(`/auditor/open/${opening.dataset.hand}/request`, { reason });
  if (!reply.ok) {
    complain(reply);
    return;
  }
  const said = JSON.parse(reply.text);
  const { hand, who, table } = opening.dataset;
  const isMine = said.hand === Number(hand) && said.by === who && said.reason === reason && (!table || said.table === table);
  if (!isMine) {
    trouble("other-text");
    return;
  }
  prepared = reply.text;
  document.getElementById("to-sign").textContent = reply.text;
  document.getElementById("signing").hidden = false;
  document.getElementById("key-file").focus();
}

function forget() {
  prepared = null;
  box.hidden = true;
  document.getElementById("signing").hidden = true;
  document.getElementById("cards").replaceChildren();
}

// The key that was chosen or pasted; null where there is none that can be used, which is said.
async function privateKey() {
  const file = document.getElementById("key-file");
  const text = document.getElementById("key-text");
  const pem = file.files.length ? await file.files[0].text() : text.value;
  file.value = "";
  text.value = "";
  if (!pem.trim()) {
    trouble("no-key");
    return null;
  }
  if (pem.includes("ENCRYPTED")) {
    trouble("encrypted");
    return null;
  }
  const inside = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem);
  let der = null;
  try {
    der = inside && Uint8Array.from(atob(inside[1].replace(/\s/g, "")), (character) => character.charCodeAt(0));
  } catch {
    der = null;
  }
  if (!der) {
    trouble("not-a-key");
    return null;
  }
  try {
    return await crypto.subtle.importKey("pkcs8", der, { name: "Ed25519" }, false, ["sign"]);
  } catch (wrong) {
    trouble(wrong.name === "NotSupportedError" ? "no-ed25519" : "not-a-key");
    return null;
  } finally {
    der.fill(0);
  }
}

function hex(bytes) {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sign() {
  box.hidden = true;
  const key = await privateKey();
  if (!key || !prepared) return;
  const request = prepared;
  const signature = hex(await crypto.subtle.sign("Ed25519", key, new TextEncoder().encode(request)));
  const reply = await post(`/auditor/open/${opening.dataset.hand}/cards`, { request, signature });
  forget();
  if (!reply.ok) {
    complain(reply);
    return;
  }
  const cards = document.getElementById("cards");
  cards.innerHTML = reply.html;
  await Promise.all([...cards.querySelectorAll("[data-salt]")].map(check));
  cards.querySelector("[data-hide]").focus();
}

// Whether a card is the one that its record committed to in public: sha256(salt, code).
async function check(row) {
  const salt = row.dataset.salt.match(/../g).map((pair) => parseInt(pair, 16));
  const code = [...row.dataset.code].map((character) => character.charCodeAt(0));
  const told = hex(await crypto.subtle.digest("SHA-256", Uint8Array.from([...salt, ...code])));
  row.querySelector(told === row.dataset.committed ? "[data-yes]" : "[data-no]").hidden = false;
}

async function guarded(act) {
  try {
    await act();
  } catch {
    trouble("lost");
  }
}

// A page that is left, or kept for going back to, has no cards any more.
addEventListener("pagehide", () => { if (opening) forget(); });

// --- what a person does ----------------------------------------------------------------------------------------------

function filled(form) {
  return new URLSearchParams([...new FormData(form)].filter(([, value]) => String(value).trim() !== ""));
}

const forms = {
  find(form) {
    location.assign(`${form.dataset.address}?${filled(form)}`);
  },
  records(form, button) { location.assign(`${button.value}?${filled(form)}`); },
  which(form) { location.assign(`/auditor/open/${Number(form.elements.hand.value)}`); },
  verify(form) { change("/auditor/verify/start", { key: form.elements.key.value.trim() }); },
  export(form) {
    const last = form.elements.last.value.trim();
    change("/auditor/export/start", { first: Number(form.elements.first.value), last: last ? Number(last) : null });
  },
  prepare(form) { guarded(() => prepare(form)); },
  sign() { guarded(sign); },
};

// Before the listeners of the live pages, which take every form for an entry at the table.
document.addEventListener("submit", (event) => {
  const act = forms[event.target.dataset.auditor];
  if (!act) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  act(event.target, event.submitter);
}, true);

document.addEventListener("click", (event) => {
  const stop = event.target.closest("[data-stop]");
  if (stop) change(stop.dataset.stop, {});
  if (event.target.closest("[data-hide]")) document.getElementById("cards").replaceChildren();
});
