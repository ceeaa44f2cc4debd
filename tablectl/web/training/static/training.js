// The hands of a trainee: tap, drag or key; every act goes to the server, and what is seen comes back from it.
// `live.js` keeps the parts of the page live; what was chosen outlives their swap.
"use strict";

const DRAG_PX = 8;
const byId = (id) => document.getElementById(id);
let chosenCard = "";
let chosenSpot = "";
let touching = false;
let drag = null;
let dragged = false;

async function post(what, body) {
  try {
    const answer = await fetch(`/training/${what}?lang=${language}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const reply = await answer.json();
    if (!reply.ok) tell(reply.says ?? [reply.error ?? answer.statusText]);
    return reply;
  } catch {
    connection(false);
    return { ok: false };
  }
}

// Whoever sits here is the second of two persons, too: a table that is none has no accounts, and nobody asks for a secret.
window.askSecond = (entry, button) => enter({ ...entry, second: { name: "colleague", secret: "none" } }, button);

async function act(body) {
  const reply = await post("act", body);
  if (reply.ok && reply.cards?.length) choose(reply.cards[0], "");
  return reply;
}

// --- what is chosen -----------------------------------------------------------------------------------------------------

function choose(card, spot) {
  chosenCard = card;
  chosenSpot = spot;
  touching = false;
  show();
  // It stays where it lies until somebody says another place.
  const at = card && cardElement(card)?.dataset.at;
  if (at && at !== "hand") byId("where").value = at;
}

const cardElement = (name) => document.querySelector(`.felt [data-card="${name}"]`);

function show() {
  for (const element of document.querySelectorAll(".chosen")) element.classList.remove("chosen");
  const card = chosenCard ? cardElement(chosenCard) : null;
  const spot = chosenSpot ? document.querySelector(`.felt [data-spot="${chosenSpot}"]`) : null;
  card?.classList.add("chosen");
  spot?.classList.add("chosen");
  byId("of-card").hidden = !card;
  byId("of-spot").hidden = !spot || Boolean(card);
  byId("of-none").hidden = Boolean(card || spot);
  document.body.classList.toggle("placing", Boolean(card) || touching);
  // Where somebody helps, the shoe is touched when a card is due, and nobody is told to touch it at any other time.
  const isDue = !byId("words").hasAttribute("data-helped") || document.querySelector(".instruction")?.dataset.instruction === "deal";
  const words = byId("words").dataset[touching ? "touch" : card ? "card" : spot ? "spot" : isDue ? "none" : "idle"];
  const what = card ? `${card.getAttribute("aria-label")}. ` : spot ? `${spot.querySelector(".ground").getAttribute("aria-label")}. ` : "";
  const text = `${what}${words}`;
  if (byId("about").textContent !== text) byId("about").textContent = text;
  fillPlaces();
  fillCards(spot);
}

function fillPlaces() {
  const select = byId("where");
  const places = [...document.querySelectorAll(".felt [data-ground]")].map((ground) => [ground.dataset.ground, ground.getAttribute("aria-label").split(",")[0]]);
  if (select.options.length === places.length) return;
  select.replaceChildren(...places.map(([value, label]) => new Option(label, value)));
}

// A pile shows its last cards only, and narrowly: here each of them can be chosen.
function fillCards(spot) {
  const there = spot ? [...spot.querySelectorAll("[data-card]")] : [];
  const names = there.map((pileCard) => pileCard.dataset.card + pileCard.className).join();
  if (byId("there").dataset.names === names) return;
  byId("there").dataset.names = names;
  byId("there").replaceChildren(...there.map((pileCard) => {
    const copy = pileCard.cloneNode(true);
    copy.id = `pick-${pileCard.dataset.card}`;
    copy.classList.remove("chosen");
    return copy;
  }));
}

// --- taps and keys --------------------------------------------------------------------------------------------------------

function onSpot(spot) {
  if (touching && chosenSpot && spot !== chosenSpot) {
    act({ do: "touch", spot: chosenSpot, other: spot });
    choose("", "");
  } else if (chosenCard) {
    act({ do: "place", card: chosenCard, spot });
    choose("", "");
  } else {
    choose("", spot === chosenSpot ? "" : spot);
  }
}

function onCard(element) {
  const { card, at } = element.dataset;
  const held = chosenCard && cardElement(chosenCard)?.dataset.at === "hand";
  if (touching) onSpot(at);
  else if (held && at !== "hand" && card !== chosenCard) onSpot(at);
  else choose(card === chosenCard ? "" : card, "");
}

document.addEventListener("click", async (event) => {
  if (dragged) {
    dragged = false;
    return;
  }
  const on = (selector) => event.target.closest(selector);
  let found;
  if (on("[data-shoe]")) await act({ do: "draw" });
  else if ((found = on("[data-card].card"))) onCard(found);
  else if ((found = on("[data-ground]"))) onSpot(found.dataset.ground);
  else if ((found = on("[data-key-of-panel]"))) await act({ do: "press", key: found.dataset.keyOfPanel });
  else if (on("#lay")) {
    await act({ do: "place", card: chosenCard, spot: byId("where").value });
    choose("", "");
  } else if (on("#arm-touch")) {
    touching = true;
    show();
  } else if ((found = on("[data-do]"))) {
    const { do: what, of, device } = found.dataset;
    const card = chosenCard;
    const spot = chosenSpot;
    if (what !== "flip") choose("", "");
    await act({ do: what, ...(of === "card" ? { card } : {}), ...(of === "spot" ? { spot } : {}), ...(device ? { device } : {}) });
  } else if ((found = on("[data-ask]"))) {
    const reply = await post(found.dataset.ask, {});
    if (reply.go) location.assign(reply.go);
  } else if ((found = on('[role="tab"]'))) openTab(found);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") choose("", "");
  const tab = event.target.closest?.('[role="tab"]');
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!tab || !step) return;
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  openTab(next);
  next.focus();
});

function openTab(tab) {
  for (const other of document.querySelectorAll('[role="tab"]')) {
    other.setAttribute("aria-selected", String(other === tab));
    byId(other.getAttribute("aria-controls")).hidden = other !== tab;
  }
}

// --- dragging: from the shoe or from where a card lies, to a place -----------------------------------------------------------

document.addEventListener("pointerdown", (event) => {
  dragged = false;
  const source = event.target.closest(".felt [data-card], [data-shoe]");
  if (!source || event.button !== 0) return;
  drag = { card: source.dataset.card ?? "", x: event.clientX, y: event.clientY, ghost: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
  if (!drag.ghost) {
    drag.ghost = Object.assign(document.createElement("div"), { className: "ghost" });
    document.body.append(drag.ghost);
  }
  drag.ghost.style.left = `${event.clientX}px`;
  drag.ghost.style.top = `${event.clientY}px`;
});

document.addEventListener("pointerup", async (event) => {
  const done = drag;
  drag = null;
  if (!done?.ghost) return;
  done.ghost.remove();
  dragged = true;
  setTimeout(() => { dragged = false; }, 0);
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const spot = under?.closest("[data-spot]")?.dataset.spot;
  if (done.card && under?.closest("[data-shoe]")) await act({ do: "put-back", card: done.card });
  if (!spot) return;
  const card = done.card || (await act({ do: "draw" })).cards?.[0];
  if (card) {
    choose("", "");
    await act({ do: "place", card, spot });
  }
});

document.addEventListener("pointercancel", () => {
  drag?.ghost?.remove();
  drag = null;
});

// A list that has just come stands above the panel.
new MutationObserver(() => { byId("in-panel").scrollTop = 0; }).observe(document.querySelector(".menu-of-panel"), { childList: true });
for (const part of [".felt", ".prompt"]) new MutationObserver(show).observe(document.querySelector(part), { childList: true });
show();
