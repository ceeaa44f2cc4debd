// The page: takes files and values, and shows what the checks found and the hand that the records tell. Every text is
// set as text, so nothing in a record can become a tag or a command.

const HOT = new Set(["incident-raised", "hand-voided", "seat-voided", "seat-withdrawn", "seat-expelled"]);
const PILES = ["board", "house", "burn", "aside", "discard", "taken", "waiting"];
const MARKS = { good: "✓", bad: "✗", open: "…", impossible: "?" };
const MISSING = "—";
const HIDDEN_AMOUNT = "●";
const UTC = "UTC";

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== "") made.setAttribute(name, [value].flat().join(" "));
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

// --- times ----------------------------------------------------------------------------------------------------------

// Day and hour of a record's time, to the millisecond, in a zone of the tz database.
function timeIn(at, zone) {
  if (zone === UTC) return { day: at.slice(0, 10), hour: at.slice(11, 23) };
  const form = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
  const part = Object.fromEntries(form.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return { day: [part.year, part.month, part.day].join("-"), hour: `${part.hour}:${part.minute}:${part.second}${at.slice(19, 23)}` };
}

// --- the hand -------------------------------------------------------------------------------------------------------

function cardShown(card, t) {
  if (card.code !== null) {
    const color = "hd".includes(card.code[1]) ? "red" : "black";
    const name = t.card(card.code);
    return el("span", { class: `card ${color}${card.isNamed ? " named" : ""}`, role: "img", "aria-label": name, title: name },
      el("b", {}, rankSign(card.code[0])), el("i", {}, SUIT_SIGNS[card.code[1]] ?? ""));
  }
  const name = t.word("card", card.isRead ? "sealed" : "unread");
  return el("span", { class: `card ${card.isRead ? "back" : "unread"}`, role: "img", "aria-label": name, title: name }, card.isRead ? "" : "?");
}

const cardsShown = (cards, t) => el("div", { class: "cards" }, cards.map((card) => cardShown(card, t)));
const clauseShown = (clause) => el("span", { class: "clause" }, clause);

function standing(holding, t) {
  return [
    holding.isExpelled ? el("span", { class: "state" }, t.page("expelled")) : null,
    holding.state ? el("span", { class: "state" }, t.page(holding.state)) : holding.rank ? el("span", { class: "state" }, t.word("category", holding.rank)) : null,
  ];
}

function feltShown(read, t) {
  const piles = PILES.filter((name) => read.piles[name].length > 0).map((name) => {
    const rank = name === "house" ? read.table.ranks.get("house") : undefined;
    return el("div", { class: "pile" }, el("h3", {}, t.page(name)), cardsShown(read.piles[name], t), rank ? el("p", {}, t.word("category", rank)) : null);
  });
  return read.isLaid ? el("div", { class: "felt" }, piles) : null;
}

function playerShown(player, read, isWithAmounts, t) {
  const { holding } = player;
  const rounds = new Map();
  for (const move of player.moves) rounds.set(move.phase, [...(rounds.get(move.phase) ?? []), move]);
  const put = [...rounds].map(([phase, moves]) => {
    const actions = moves.filter((move) => move.action).map((move) => t.word("action", move.action));
    const added = sum(moves.map((move) => move.added));
    return el("div", { class: "move" }, el("span", {}, [t.stage(phase), actions.length > 0 ? `: ${actions.join(", ")}` : ""]),
      el("span", { class: "sum" }, added === null ? HIDDEN_AMOUNT : added ? t.money(added) : ""));
  });
  const line = (name, amount, clause = null) =>
    el("div", { class: "move" }, el("span", {}, [name, clause === null ? "" : [" ", clauseShown(clause)]]), el("span", { class: "sum" }, amount));
  return el("tr", { "data-seat": holding.seat },
    el("td", { class: "seat" }, holding.seat, holding.seat === read.table.circle.button ? el("span", { class: "state" }, t.page("button")) : null),
    el("td", { class: "shown" }, cardsShown(holding.cards, t), standing(holding, t)),
    el("td", { class: "put" }, put.length > 0 ? put : t.page(isWithAmounts ? "nothing" : "none"),
      player.putIn !== null && player.moves.length > 0
        ? el("div", { class: ["move", "all"] }, el("span", {}, t.page("total")), el("span", { class: "sum" }, t.money(player.putIn))) : null),
    el("td", { class: "won" },
      player.shares.map((share) => line(t.pot(share.pot, read.pots.length), t.money(share.amount) || HIDDEN_AMOUNT, share.clause)),
      player.uncalled ? line(t.page("uncalled"), t.money(player.uncalled)) : null,
      player.refunded === null ? null : line(t.page("returned"), player.putIn === null ? HIDDEN_AMOUNT : t.money(player.refunded))),
    el("td", { class: "net" }, player.net !== null && read.isDecided ? t.gain(player.net) : t.page("none")));
}

function potsShown(read, isWithAmounts, t) {
  if (read.pots.length === 0) return [];
  const withFee = Boolean(read.floatChange);
  const seats = (pot) => (pot.seats.length > 0 ? pot.seats.join(", ") : t.page(isWithAmounts ? "all-folded" : "none"));
  const winner = (share) => el("div", {}, `${t.page("seat")} ${share.seat}`, (share.amount ?? null) === null ? "" : [": ", el("b", {}, t.money(share.amount))], " ", clauseShown(share.clause));
  const heads = [["pot", ""], ["amount", "sum"], ["compete", ""], ["winners", ""], ...(withFee ? [["fee", "sum"]] : [])];
  return [
    el("h3", { class: "pots-title" }, t.page("pots")),
    el("table", { class: "pots" },
      el("thead", {}, el("tr", {}, heads.map(([key, name]) => el("th", { class: name }, t.page(key))))),
      el("tbody", {}, read.pots.map((pot) => el("tr", { "data-pot": pot.number },
        el("td", {}, t.pot(pot.number, read.pots.length)), el("td", { class: "sum" }, t.money(pot.amount) || HIDDEN_AMOUNT),
        el("td", {}, seats(pot)), el("td", {}, pot.shares.map(winner)),
        withFee ? el("td", { class: "sum" }, t.money(pot.fee) || t.page("none")) : null)))),
  ];
}

function fate(settled, t) {
  const pays = settled.pays ?? null;
  return [el("span", {}, t.outcome(settled.outcome, settled.odds), pays === null ? "" : [" ", el("b", {}, t.gain(pays))]), clauseShown(settled.clause)];
}

function bettorShown({ holding, bettor, bets, prizes, net }, t) {
  const name = bettor === SEATED ? String(holding.seat) : `${holding.seat}/${bettor}`;
  const rows = bets.map((bet) => {
    const said = bet.isReversed ? "reversed" : bet.settled !== null ? null : bet.isReturned ? "returned" : "open";
    return el("div", { class: "bet" }, el("b", {}, t.bet(bet.name)), el("span", { class: "sum" }, t.money(bet.amount) || HIDDEN_AMOUNT),
      said === null ? fate(bet.settled, t) : [el("span", {}, t.page(said)), el("span")]);
  });
  const beside = prizes.map((prize) => el("div", { class: "bet" }, el("b", {}, t.bet(prize.bet)), el("span", { class: "sum" }), fate(prize, t)));
  return el("tr", { "data-seat": name }, el("td", { class: "seat" }, name),
    el("td", { class: "shown" }, bettor === SEATED ? cardsShown(holding.cards, t) : t.page("standing"), standing(holding, t)),
    el("td", {}, rows, beside), el("td", { class: "net" }, net === null ? t.page("none") : t.gain(net)));
}

function seatsShown(read, isForPots, isWithAmounts, t) {
  const heads = isForPots ? ["seat", "cards", "put-in", "won", "net"] : ["seat", "cards", "bets", "net"];
  const rows = isForPots
    ? read.players.map((player) => playerShown(player, read, isWithAmounts, t)) : read.bettors.map((bettor) => bettorShown(bettor, t));
  const head = el("tr", {}, heads.map((key) => el("th", { class: key === "net" ? "net" : "" }, t.page(key))));
  const why = isForPots ? (isWithAmounts ? "net-why-circle" : "no-amounts") : "net-why";
  const change = isForPots
    ? read.floatChange ? `${t.page("fee-kept")}: ${t.money(read.floatChange)}` : null
    : read.floatChange === null ? null : `${t.page("float")}: ${t.gain(read.floatChange)}`;
  return [
    el("table", { class: "seats" }, el("thead", {}, head), el("tbody", {}, rows)), el("p", { class: "note" }, t.page(why)),
    isForPots ? potsShown(read, isWithAmounts, t) : null, change === null ? null : el("p", { class: "float" }, el("b", {}, change)),
  ];
}

function incidentShown(incident, zone, t) {
  const { raised, closed, ruling } = incident;
  const hour = (at) => timeIn(at, zone).hour;
  const decided = closed === null ? t.page("undecided") : [
    el("span", {}, t.page("decided-by", { remedy: t.word("remedy", closed.remedy), by: t.word("chooser", closed.by) })), ` · ${hour(incident.closedAt)}`,
    ruling === null ? "" : [` · ${t.persons(ruling.by, ruling.second)}`, ruling.reason ? `: «${ruling.reason}»` : ""],
  ];
  const lines = [
    ["time", hour(incident.at)], ["expected", t.observed(raised.expected)], ["observed", t.observed(raised.observed)],
    ["choices", t.remedies(incident.remedies)], ["decided", decided],
    ...incident.seen.map(([by, at]) => ["seen", `${t.person(by)} · ${hour(at)}`]),
  ];
  return el("section", { class: "incident", "data-incident": raised.incident },
    el("div", { class: "top" }, el("strong", {}, `${raised.incident} · ${t.incidentTitle(raised.expected, raised.observed, incident.remedies)}`), clauseShown(raised.clause)),
    el("blockquote", {}, el("span", {}, t.clause(raised.clause))),
    el("dl", {}, lines.map(([key, told]) => [el("dt", {}, t.page(key)), el("dd", {}, told)])));
}

function timelineShown(entries, signed, zone, t) {
  const rows = entries.map((entry) => {
    const isHot = entry.followed.some(([kind]) => HOT.has(kind));
    const followed = entry.followed.map(([kind, told, clause]) =>
      el("li", { class: HOT.has(kind) ? "hot" : "" }, told, clause ? [" ", clauseShown(clause)] : null));
    return el("tr", { class: isHot ? "alert" : "", "data-seq": entry.seq },
      el("td", { class: "when" }, el("b", {}, timeIn(entry.at, zone).hour), el("small", {}, t.page("number", { seq: entry.seq })),
        signed.has(entry.seq) ? el("span", { class: "signed" }, `✓ ${t.page("signed")}`) : null),
      el("td", { class: "pic" }, entry.card === null ? null : cardShown(entry.card, t)),
      el("td", {}, el("strong", {}, entry.happened), followed.length > 0 ? el("ul", {}, followed) : null,
        entry.digest ? el("span", { class: "mono" }, t.page("sealed-as", { digest: `${entry.digest.slice(0, 16)}…` })) : null));
  });
  const head = el("tr", {}, el("th", { class: "when" }, t.page("time")), el("th", { class: "pic" }), el("th", {}, t.page("records")));
  return el("table", { class: "line" }, el("thead", {}, head), el("tbody", {}, rows));
}

function factsShown(hand, setup, opened, zone, said, t) {
  const first = timeIn(hand.records[0].at, zone), last = timeIn(hand.records.at(-1).at, zone);
  const software = [hand.before, ...hand.records].findLast((told) => told?.software)?.software;
  const choices = said.choices[setup.rulebook] ?? {};
  const profile = Object.entries(setup.profile ?? {}).map(([key, value]) =>
    el("div", {}, el("b", {}, `${key} = ${value}`), Object.hasOwn(choices, key) ? ` (${choices[key]}) ${t.choice(key)}` : ""));
  const limits = Object.entries(setup.limits ?? {}).map(([bet, limit]) => `${t.word("bet", bet)} ${t.money(limit.least)} – ${t.money(limit.most)}`).join(" · ");
  const rules = [setup.rulebook, ...(opened?.version ? [t.page("version", { version: opened.version })] : [])].join(", ");
  const lines = [
    ["table", setup.table], ["hand", hand.number],
    [t.page("time-in", { zone }), `${first.day} ${first.hour} – ${last.day === first.day ? "" : `${last.day} `}${last.hour}`],
    ["rulebook", `${t.word("game", setup.rulebook)} (${rules})`], ["tracking", t.word("tracking", setup.tracking)],
    ...(setup.tracking === "amounts" && limits ? [["limits", limits]] : []),
    ...(setup.fee ? [["fee", t.fee(setup.fee)]] : []),
    ...(profile.length > 0 ? [["profile", profile]] : []),
    ["croupier", opened?.croupier ? t.person(opened.croupier) : t.page("unknown")],
    ["software", el("span", { class: "mono" }, software ?? MISSING)],
    ["records", `${(hand.before ?? hand.records[0]).seq} – ${hand.records.at(-1).seq}`],
  ];
  const name = (key) => (/^[a-z-]+$/.test(key) ? t.page(key) : key);
  return el("dl", { class: "facts" }, lines.map(([key, told]) => [el("dt", {}, name(key)), el("dd", {}, told)]));
}

// A hand as a part of the page. `signed`: the numbers of the records that have a signature.
function handShown(hand, signed, zone, said) {
  const setup = setupOf(hand);
  const opened = hand.records.flatMap((told) => told.decisions).find((decision) => decision.kind === "hand-opened") ?? null;
  const t = makeWords(said, setup.rulebook, currencyOf(hand));
  const read = readHand(hand);
  const entries = entriesOf(hand, read, t);
  const isWithAmounts = setup.tracking === "amounts";
  const cited = [...new Set(entries.flatMap((entry) => entry.followed.map(([, , clause]) => clause)).filter(Boolean))];
  const banner = (name, key, ...why) => el("div", { class: `banner ${name}` }, el("span", {}, t.page(key)), el("p", {}, why));
  return el("article", { "data-hand": hand.number },
    el("header", {}, el("h1", {}, el("span", {}, t.page("title", { hand: hand.number }))),
      el("p", { class: "where" }, el("strong", {}, setup.table), t.word("game", setup.rulebook), el("br"), timeIn(hand.records[0].at, zone).day)),
    read.isClosed ? null : banner("open", "unfinished", t.page("unfinished-why")),
    read.table.void ? banner("void", "void", `${read.table.void}: `, t.clause(read.table.void)) : null,
    factsShown(hand, setup, opened, zone, said, t),
    el("h2", {}, t.page("result")), feltShown(read, t),
    el("p", { class: "note" }, t.page("legend"), read.table.named.size > 0 ? ` ${t.page("legend-named")}` : ""),
    seatsShown(read, said.circle.includes(setup.rulebook), isWithAmounts, t),
    el("h2", {}, t.page("incidents")),
    read.incidents.length > 0 ? read.incidents.map((incident) => incidentShown(incident, zone, t)) : el("p", {}, t.page("no-incidents")),
    el("h2", {}, t.page("timeline")), timelineShown(entries, signed, zone, t),
    cited.length > 0 ? [el("h2", {}, t.page("clauses")), el("div", { class: "glossary" },
      cited.map((clause) => [el("div", {}, clauseShown(clause)), el("div", {}, t.clause(clause))]))] : null);
}

// --- what the checks found --------------------------------------------------------------------------------------------

function checksShown({ verdict, checks }, t) {
  const found = Object.entries(checks).map(([name, { state, key, values }]) =>
    el("li", { class: state, "data-check": name, "data-key": key },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[state]),
      el("div", {}, el("p", { class: "name" }, el("b", {}, t.say("verifier", `check-${name}`)), " ", el("span", { class: "is" }, t.say("verifier", `is-${state}`))),
        el("p", {}, t.say("verifier", key, values)))));
  return [
    el("div", { class: `verdict ${verdict}`, role: "status" },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[verdict]),
      el("div", {}, el("strong", {}, t.say("verifier", `verdict-${verdict}`)), el("p", {}, t.say("verifier", `verdict-${verdict}-why`)))),
    el("ol", { class: "checks" }, found),
  ];
}

// --- the page itself --------------------------------------------------------------------------------------------------

// A table's files as they were chosen or dropped: the records, and beside them key and summary.
async function readFiles(files) {
  const found = { records: null, key: null, about: null, name: "" };
  for (const file of files) {
    if (file.name.endsWith(".jsonl")) Object.assign(found, { records: new Uint8Array(await file.arrayBuffer()), name: file.name });
    else if (file.name.endsWith(".pem")) found.key = keyOfPem(await file.text()) ?? "";
    else if (file.name.endsWith(".json")) {
      try {
        const about = JSON.parse(await file.text());
        found.about = about !== null && typeof about === "object" ? about : {};
      } catch {
        found.about = {};
      }
    }
  }
  return found;
}

async function begin() {
  const said = JSON.parse(document.getElementById("texts").textContent);
  const t = makeWords(said, "", null);
  const at = (id) => document.getElementById(id);
  const can = await abilities();
  const held = { records: null, key: null, about: null, name: "" };
  if (!can.hashes) at("unable").textContent = t.say("verifier", "no-hashes");
  else if (!can.signatures) at("unable").textContent = t.say("verifier", "signature-no-browser");
  at("unable").hidden = can.signatures;
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const zone of new Set([UTC, own])) at("zone").append(el("option", { value: zone }, zone));

  let turn = 0;
  const render = async () => {
    const mine = ++turn;
    const fields = { fingerprint: at("fingerprint").value, lastSeq: at("last-seq").value, lastHash: at("last-hash").value };
    const names = [held.records && held.name, held.key !== null && "public-key.pem", held.about !== null && "about.json"];
    at("held").textContent = names.filter(Boolean).join(" · ");
    if (held.records === null) return;
    const result = await checkRecords(held.records, { ...fields, key: held.key, about: held.about }, can);
    if (mine !== turn) return; // another file came meanwhile
    at("result").replaceChildren(...checksShown(result, t));
    const records = result.lines.map((line) => line.told);
    const hands = handsOf(records);
    const wanted = Number(at("which").value) || hands.at(-1)?.number;
    const hand = hands.find(({ number }) => number === wanted) ?? hands.at(-1);
    at("which").replaceChildren(...hands.map(({ number }) => el("option", { value: number, selected: number === hand.number ? "selected" : null }, number)));
    at("which-row").hidden = hands.length < 2;
    const signed = new Set(result.lines.filter(({ signature }) => signature !== null).map(({ told }) => told.seq));
    at("hand").replaceChildren();
    if (hand === undefined) at("hand").append(el("p", { class: "note" }, t.say("verifier", "no-hand")));
    else at("hand").append(...shownOrSaid(hand, signed, at("zone").value, said, t, result.verdict));
  };
  const takeFiles = async (files) => {
    const found = await readFiles(files);
    for (const [name, value] of Object.entries(found)) if (value !== null && value !== "") held[name] = value;
    if (found.key === "") held.key = "";
    await render();
  };
  at("files").addEventListener("change", (event) => takeFiles([...event.target.files]));
  for (const id of ["fingerprint", "last-seq", "last-hash", "zone", "which"]) at(id).addEventListener("input", render);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    at("drop").classList.add("over");
  });
  document.addEventListener("dragleave", () => at("drop").classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    at("drop").classList.remove("over");
    takeFiles([...event.dataTransfer.files]);
  });
}

// The hand under what was found of its records; what cannot be read at all is said instead of half a page.
function shownOrSaid(hand, signed, zone, said, t, verdict) {
  const warning = verdict === BAD ? [el("p", { class: "doubt" }, t.say("verifier", "hand-bad"))] : [];
  try {
    return [...warning, handShown(hand, signed, zone, said)];
  } catch (wrong) {
    if (!(wrong instanceof TypeError || wrong instanceof RangeError)) throw wrong;
    return [el("p", { class: "doubt" }, t.say("verifier", "no-hand"))];
  }
}

if (typeof document !== "undefined") begin();
