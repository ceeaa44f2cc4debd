// A ruling that two persons sign: the second one says his name and password here, and both go with the entry.
"use strict";

const dialog = document.getElementById("second-person");
const secondForm = dialog.querySelector("form");
const secondSays = document.getElementById("second-says");
let waiting = null;

window.askSecond = (entry, button) => {
  waiting = entry;
  secondForm.reset();
  secondSays.hidden = true;
  document.getElementById("second-about").textContent = button.querySelector(".first")?.textContent ?? "";
  dialog.showModal();
  document.getElementById("second-name").focus();
};

secondForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(secondForm);
  const secret = document.getElementById("second-secret");
  const name = String(fields.get("name")).trim().toLowerCase();
  const answer = await send({ ...waiting, second: { name, secret: fields.get("secret") ?? "" } });
  if (secret) secret.value = "";
  if (answer === null) return;
  const { status, reply } = answer;
  if (status === 401) {
    signOn();
  } else if (status === 403) {
    secondSays.textContent = (reply.says ?? [reply.error]).join(" / ");
    secondSays.hidden = false;
    secret?.focus();
  } else {
    dialog.close();
    answered(answer);
  }
});

document.getElementById("second-cancel").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => { waiting = null; secondForm.reset(); });
