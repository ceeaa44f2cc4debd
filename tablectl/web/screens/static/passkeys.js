// One's own passkeys: one is made by the browser and its authenticator, and one that is lost is taken away; each by whoever
// says his password once more.
"use strict";

const passkeyForm = document.querySelector("[data-passkeys]");
const passkeySays = passkeyForm.querySelector("[data-says]");

async function passkeyStep(said) {
  const answer = await fetch(`/account/passkey?lang=${document.documentElement.lang}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Tablectl": document.querySelector('meta[name="csrf"]')?.content ?? "" },
    body: JSON.stringify(said),
  }).catch(() => null);
  const reply = (await answer?.json().catch(() => null)) ?? { ok: false, says: [] };
  if (!reply.ok) passkeysDenied((reply.says ?? []).join(" / "));
  return reply;
}

function passkeysDenied(text) {
  passkeySays.textContent = text;
  passkeySays.hidden = !text;
}

async function makePasskey(password, label) {
  const begun = await passkeyStep({ ask: "begin-passkey", password });
  if (!begun.ok) return false;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(begun.options);
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (made === null) return false;
  return (await passkeyStep({ ask: "add-passkey", label, made: made.toJSON() })).ok;
}

passkeyForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { password, label } = passkeyForm.elements;
  const credential = event.submitter?.name === "remove" ? event.submitter.value : null;
  if (!password.reportValidity()) return;
  const secret = password.value;
  password.value = "";
  passkeysDenied("");
  const isDone = credential === null
    ? await makePasskey(secret, label.value)
    : (await passkeyStep({ ask: "remove-passkey", password: secret, credential })).ok;
  if (isDone) location.assign("/account?done=passkey");
});

if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  passkeyForm.querySelector("[data-unable]").hidden = false;
  passkeyForm.querySelector("[name=add]").disabled = true;
}
