// Records in plain words, out of the texts that stand in the catalogues of the language. `said`: these texts by table
// and key, those that count by number, how the language writes money, and which games there are.

const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const NARROW_SPACE = "\u202f";
const SPOTS = ["house", "board", "burn", "discard", "shoe", "stub"];
// Words that end like a spot and name none.
const WHOLE_WORDS = new Set([
  "no-burn", "one-burn", "double-burn", "early-burn", "early-board", "face-up-in-shoe", "new-stub", "last-of-the-stub",
]);
// What is said of a pair of seats, by what was expected there.
const OF_PAIRS = { "cards-apart": "cards-in-contact", "apart": "cards-in-contact", "one-box": "two-boxes" };
// Refusals whose detail is a number: of cards, or an amount.
const OF_NUMBERS = { "too-many-cards": "cards", "wrong-number": "cards", "wrong-stack": "money" };
// Refusals whose detail is said in words.
const IN_WORDS = new Set(["wrong-card", "not-shelved"]);
const ALARMS = new Set(["incident", "device"]);
const NUMBERED = { "decision-seat": "decision", "entry": "entry" };
const DISCARDS_BUT = "discards-but-";
// Incidents that a device or a cable makes: no rule of the game is cited for them.
const CABLE_FAULT = /^((shoe|antennas)-lost|(foreign-)?usb-(present|plugged|unplugged))$/;

const isSeat = (word) => word.startsWith("seat-") && !word.includes(".");
const isNumber = (word) => /^[0-9]+$/.test(word ?? "");
const rankSign = (rank) => (rank === "T" ? "10" : rank);
const parted = (text, sign) => {
  const at = text.indexOf(sign);
  return at < 0 ? [text, "", ""] : [text.slice(0, at), sign, text.slice(at + sign.length)];
};
const citedClause = (said) => (said.kind === "incident-raised" && CABLE_FAULT.test(said.observed) ? null : (said.clause ?? null));

function makeWords(said, rulebook, currency) {
  const has = (table, key) => Object.hasOwn(said.texts[table] ?? {}, key) || Object.hasOwn(said.counting[table] ?? {}, key);
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  const say = (table, key, values = {}) => {
    if (Object.hasOwn(said.texts[table] ?? {}, key)) return filled(said.texts[table][key], values);
    return has(table, key) ? pluralize(table, key, 1, values) : key;
  };
  // Which form a number has is counted up to 200: no language looks further than at its last two digits.
  const pluralize = (table, key, number, values = {}) => {
    const { forms, which } = said.counting[table][key];
    const form = which[number < which.length ? number : 100 + (number % 100)];
    return filled(forms[form], { count: number, ...values });
  };
  const word = (table, key) => (has(table, key) ? say(table, key) : String(key ?? ""));
  const page = (key, values) => say("page", key, values);

  // --- people, places, cards ----------------------------------------------------------------------------------------

  const person = (name) => word("person", name);
  const persons = (by, second) => (second ? say("word", "and", { one: person(by), other: person(second) }) : person(by));
  const bet = (name) => word("bet", name);
  const clause = (id) => (has("clause", id) ? say("clause", id) : "");
  const choice = (key) => word("house-choice", has("house-choice", `${rulebook}-${key}`) ? `${rulebook}-${key}` : key);
  const spot = (name) => {
    const whole = name.split(".")[0];
    return whole.startsWith("seat-") ? say("spot", "seat", { seat: whole.slice("seat-".length) }) : word("spot", whole);
  };
  const place = (slot) => {
    if (!slot.includes(".")) return spot(slot);
    const [whole, , position] = parted(slot, ".");
    const [head, , seat] = parted(whole, "-");
    const key = [`${head}-${position}`, head].find((name) => has("place", name));
    return key === undefined ? slot : say("place", key, { seat, position });
  };
  const bettor = (seat, number = 1) => (number === 1 ? spot(`seat-${seat}`) : say("spot", "standing", { seat, bettor: number }));
  const card = (code) => say("card-name", "of", { rank: word("rank", code[0]), suit: word("suit", code[1]) });
  const cards = (number) => pluralize("word", "card-count", Number(number));
  const alarm = (name) => {
    const [kind, , rest] = parted(name, "-");
    return ALARMS.has(kind) ? say("word", `alarm-${kind}`, { number: rest, device: rest }) : name;
  };

  // --- amounts --------------------------------------------------------------------------------------------------------

  // The last digits stand together as the language has it: three of them, or three and then twos.
  const grouped = (digits, sign, [last, others] = [3, 3]) => {
    const groups = [digits.slice(-last)];
    for (let end = digits.length - last; end > 0; end -= others) groups.unshift(digits.slice(Math.max(0, end - others), end));
    return groups.join(sign);
  };
  const money = (amount) => {
    if (amount === null || amount === undefined) return "";
    const sign = amount < 0 ? "-" : "";
    if (currency === null) return page("smallest-unit", { amount: sign + grouped(String(Math.abs(amount)), NARROW_SPACE) });
    const { before, after, group, grouping, decimal, symbols } = said.money;
    const digits = String(Math.abs(amount)).padStart(currency.exponent + 1, "0");
    const whole = grouped(digits.slice(0, digits.length - currency.exponent), group, grouping);
    const part = currency.exponent > 0 ? decimal + digits.slice(-currency.exponent) : "";
    const symbol = Object.hasOwn(symbols, currency.code) ? symbols[currency.code] : currency.code;
    return `${sign}${before}${whole}${part}${after}`.replace("¤", () => symbol);
  };
  const gain = (amount) => (amount > 0 ? "+" : amount < 0 ? "−" : "±") + money(Math.abs(amount));
  const pot = (number, pots) => {
    if (pots === 1) return word("word", "one-pot");
    return number === 1 ? word("word", "main-pot") : say("word", "side-pot", { number: number - 1 });
  };
  const stage = (name) => word(has("phase", name) ? "phase" : "bet", name);
  const fee = ({ rate, cap, taken_from: from }) => {
    const part = String(rate % 100).padStart(2, "0").replace(/0+$/, "");
    const perCent = Math.floor(rate / 100) + (part ? word("number", "point") + part : "");
    const text = say("fee", from, { rate: perCent });
    return cap === null || cap === undefined ? text : `${text}, ${say("fee", "at-most", { cap: money(cap) })}`;
  };
  const outcomeOf = (name, odds) => (odds ? `${word("outcome", name)} ${odds.join(":")}` : word("outcome", name));
  const limits = (all) =>
    Object.entries(all).map(([name, limit]) => `${bet(name)} ${say("word", "limits", { least: money(limit.least), most: money(limit.most) })}`).join(", ");

  // --- incidents, questions, refusals ---------------------------------------------------------------------------------

  const countAt = (name, number) => say("word", "count-at", { spot: spot(name), cards: cards(number) });
  const spotPart = (text) => {
    if (WHOLE_WORDS.has(text)) return [text, ""];
    for (const end of ["seat-", ...SPOTS]) {
      const at = text.lastIndexOf(`-${end}`);
      const rest = text.slice(at + 1 + end.length);
      if (at >= 0 && (end !== "seat-" || isNumber(rest))) return [text.slice(0, at), end + rest];
    }
    return [text, ""];
  };
  const observed = (text) => {
    const table = ["word", "declaration"].find((name) => has(name, text));
    if (table !== undefined) return word(table, text);
    if (text.includes("|") || has("action-may", text.split("=")[0])) return legal(text.split("|"));
    if (text.includes("+") && text.includes("=")) {
      const [one, , other] = parted(text, "+");
      return say("word", "and", { one: observed(one), other: observed(other) });
    }
    const [name, equals, value] = parted(text, "=");
    if (equals) return countAt(name, value);
    const at = text.lastIndexOf("-");
    if (at >= 0 && Object.hasOwn(NUMBERED, text.slice(0, at))) return say("word", NUMBERED[text.slice(0, at)], { number: text.slice(at + 1) });
    if (text.includes("+")) {
      const [one, , other] = parted(text, "+");
      return say("word", "two-spots", { spot: spot(one), other: spot(other) });
    }
    const [what, where] = spotPart(text);
    return what && where ? say("word", "of-seat", { what: word("word", what), spot: spot(where) }) : place(text);
  };
  const whatHappened = (expected, seen) => {
    if (expected === "discard" && isSeat(seen)) return "discard-back";
    if (seen.includes("=")) return seen.startsWith("deck=") ? "short-deck" : "wrong-count";
    if (seen.includes("+")) return Object.hasOwn(OF_PAIRS, expected) ? OF_PAIRS[expected] : seen;
    if (expected === "card-from-the-shoe") return "from-elsewhere";
    if (isSeat(expected) && isSeat(seen)) return "wrong-button";
    const isSpot = (SPOTS.includes(seen) && seen !== "burn") || isSeat(seen);
    return isSpot ? "misplaced" : spotPart(seen)[0];
  };
  const incidentTitle = (expected, seen, remedies) => {
    const what = whatHappened(expected, seen);
    const only = remedies.length === 1 ? remedies[0] : "";
    const variants = [
      [expected === "declared-at-once", "late"], [what === "face-up-card" && only === "void-hand", "again"],
      [only === "continue", "continue"], [expected === "no-card", "after"], [only === "correct", "mendable"],
      [expected === "cut", "uncut"], [expected === "new-stub", "new-stub"],
    ];
    const keys = [...variants.filter(([applies]) => applies).map(([, variant]) => `${what}-${variant}`), what];
    return word("title", keys.find((key) => has("title", key)) ?? "other");
  };
  const remedies = (all) => all.map((remedy) => word("remedy", remedy)).join(" / ");
  const question = (asked, about) => {
    let name = asked, where = about ?? "";
    if (where.startsWith(DISCARDS_BUT)) [name, where] = [`${name}-but`, where.slice(DISCARDS_BUT.length)];
    const named = where.split("+");
    const places = has("declaration", where) ? word("declaration", where) : named.map(place).join(" · ");
    const exact = `${name}-${named.length === 1 ? where : "several"}`;
    return say("question", has("question", exact) ? exact : name, { spot: places });
  };
  // What a seat may do; to fold is legal always.
  const legal = (words) => {
    const all = words.map(legalWord);
    const other = word("action-may", "fold");
    if (all.length === 0) return other;
    return all.length === 1 ? say("word", "either", { one: all[0], other }) : say("word", "either-last", { others: all.join(", "), other });
  };
  const legalWord = (text) => {
    const [name, , value] = parted(text, "=");
    const [least, dots, most] = parted(value, "..");
    const isRaise = name === "raise";
    let amount = least ? money(Number(least)) : "";
    if (dots && most && most !== least) {
      const upper = money(Number(most));
      const tail = /\D*$/.exec(upper)[0];
      const lower = tail && amount.endsWith(tail) ? amount.slice(0, amount.length - tail.length) : amount;
      amount = say("word", isRaise ? "raise-between" : "limits", { least: lower, most: upper });
    } else if (dots && !most) amount = say("word", isRaise ? "raise-from" : "at-least", { least: amount });
    else if (isRaise && amount) amount = say("word", "raise-to", { amount });
    return `${word("action-may", name)} ${amount}`.trim();
  };
  const refusal = ({ why, detail, clause: cited }, entry) => {
    const name = entry.startsWith("seat-") ? spot(entry) : word(has("key", entry) ? "key" : "entry", entry);
    if (why === "illegal-action") {
      const [action, ...may] = detail.split(/\s+/).filter(Boolean);
      return say("refusal", why, { entry: word("action-may", action), detail: legal(may) }).trim();
    }
    const key = why === "taken-back" && cited === "FCD-DSC-14" ? "number-taken-back" : why;
    const details = detail.replaceAll("+", " ").split(/\s+/).filter(Boolean).map((part) => detailWord(part, why)).join(" · ");
    return say("refusal", key, { entry: name, detail: details }).trim();
  };
  const detailWord = (text, why) => {
    const [name, equals, value] = parted(text, "=");
    if (Object.hasOwn(OF_NUMBERS, why) && isNumber(value) && has("word", `is-${name}`)) {
      return say("word", `is-${name}`, { number: OF_NUMBERS[why] === "cards" ? cards(value) : money(Number(value)) });
    }
    const ends = value.split("..");
    if (["limits", "nearest"].includes(name) && isNumber(ends.at(-1))) {
      return say("word", name, { least: money(Number(ends[0])), most: money(Number(ends.at(-1))) });
    }
    if (name === "turn" || name === "button") return spot(value);
    if (name === "players") return value;
    if (equals && has("bet", name) && isNumber(value)) return `${bet(name)} ${money(Number(value))}`;
    if (equals && isNumber(value) && (name.startsWith("seat-") || name.startsWith("house"))) return countAt(name, value);
    if (!equals && (text.startsWith("seat-") || text.includes("."))) return place(text);
    const told = IN_WORDS.has(why) ? word("word", text) : text;
    return equals ? text.replaceAll("=", " ") : word("bet", word("remedy", told));
  };

  // --- a record -------------------------------------------------------------------------------------------------------

  const quoted = (text) => (text ? ` «${text}»` : "");
  const sentence = (text) => text.trim().slice(0, 1).toUpperCase() + text.trim().slice(1);
  const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
  const atSeat = (it) => ({ spot: bettor(it.seat, it.bettor ?? 1) });
  const inTurn = (seat) => (seat === null || seat === undefined ? word("word", "in-turn-seat") : bettor(seat));
  const stake = (action, to) => {
    if (to === null || to === undefined || action === "fold" || action === "check") return "";
    return action === "bet" || action === "call" ? ` ${money(to)}` : say("word", "to", { amount: money(to) });
  };
  const amountAt = (it) => ({ ...atSeat(it), amount: money(it.amount) });
  const spoken = (it, to) => ({ spot: bettor(it.seat), action: word("action", it.action), to: stake(it.action, to), added: "", all_in: "" });
  const betsOf = (it) => ({ ...atSeat(it), bets: Object.entries(it.amounts).map(([name, amount]) => `${bet(name)} ${money(amount)}`.trim()).join(", ") });
  const deviceOf = (it) => ({ role: word("role", it.role), device: it.device });
  const alarmOf = (it) => ({ alarm: alarm(it.alarm), by: person(it.by), reason: quoted(it.reason), minutes: it.minutes });
  const changesOf = (it) => ({ spot: inTurn(it.seat), what: it.cards ? say("word", "changes", { cards: cards(it.cards) }) : word("word", "served") });
  const who = (it) => ({ who: person(it.croupier) });
  const gone = (it) => ({ spot: spot(it.spot), what: (it.lies ?? null) === null ? word("word", "unknown-card") : say("word", "card-number", { draw: it.lies }) });
  const float = (act) => (it) => {
    const chips = (it.chips ?? []).map((chip) => `${chip.count} × ${money(chip.value)}`).join(", ");
    const expected = it.expected ?? null;
    return {
      by: persons(it.by, it.second), form: word("float-form", it.occasion ?? act), expected: money(expected),
      amount: chips ? `${money(it.amount)} (${chips})` : money(it.amount), more: expected === null ? "" : gain(it.amount - expected),
    };
  };
  const potName = (number) => pot(number, Math.max(2, number));
  const limitsOf = (it) => ({ limits: limits(it.limits), by: it.by === undefined ? "" : persons(it.by, it.second) });
  const corrected = (it) => {
    let instead = "";
    if (it.card) instead = say("word", "is-card", { card: card(it.card) });
    else if (it.spot) instead = say("word", "lies-at", { spot: spot(it.spot) });
    else if (it.instead) instead = say("fact", it.instead.kind, FACTS[it.instead.kind](it.instead));
    else instead = word("word", "was-mistake");
    return { by: persons(it.by, it.second), number: it.number, instead: sentence(instead), reason: quoted(it.reason) };
  };
  const seconds = (us) => {
    const whole = Math.round(us / 1_000_000);
    return (whole < 0 ? "" : "+") + whole;
  };

  const FACTS = {
    "opened": () => ({}),
    "game-chosen": (it) => ({ game: word("game", it.setup.rulebook), by: person(it.by) }),
    "drawn": (it) => ({ draw: it.draw }),
    "pressed": (it) => ({ key: it.key.startsWith("seat-") ? spot(it.key) : word("key", it.key), panel: it.panel }),
    "bets": betsOf,
    "removed": atSeat,
    "standing-bet": (it) => ({ ...betsOf(it), consent: it.consent ? word("word", "consents") : "" }),
    "stands-out": atSeat,
    "seen": gone,
    "gone": gone,
    "strange-tag": (it) => ({ what: word("word", it.what), spot: spot(it.spot) }),
    "time-passed": () => ({}),
    "on-felt": (it) => ({ spots: it.spots.map(spot).join(", ") || word("word", "nowhere") }),
    "counted": (it) => ({ cards: cards(it.cards) }),
    "shuffled": (it) => ({ cards: cards(it.cards) }),
    "declared": (it) => {
      const where = [it.spot, it.other].filter(Boolean).map((name) => `, ${spot(name)}`).join("");
      const count = (it.cards ?? null) === null ? "" : ` (${cards(it.cards)})`;
      return { what: word("declaration", it.what), where: where + count };
    },
    "ruled": (it) => ({ by: persons(it.by, it.second), reason: quoted(it.reason), incident: it.incident, remedy: word("remedy", it.remedy) }),
    "acknowledged": (it) => ({ by: person(it.by), incident: it.incident, alarm: it.alarm ? alarm(it.alarm) : "" }),
    "named": (it) => ({ by: person(it.by), place: place(it.slot), card: card(it.card) }),
    "corrected": corrected,
    "called": (it) => ({ by: person(it.by), reason: quoted(it.reason) }),
    "device-lost": (it) => ({ ...deviceOf(it), reason: quoted(it.reason) }),
    "device-back": deviceOf,
    "device-said": (it) => ({ ...deviceOf(it), what: word("said", it.what) + ((it.code ?? null) === null ? "" : ` ${it.code}`) }),
    "topology-changed": (it) => ({ change: word("plug", it.change), what: it.what, foreign: it.is_allowed ? "" : word("word", "foreign") }),
    "failed": (it) => ({ error: it.error }),
    "signed-on": who,
    "signed-off": who,
    "limits-set": limitsOf,
    "shelved": alarmOf,
    "unshelved": alarmOf,
    "acted": (it) => ({
      spot: inTurn(it.seat), action: word("action", it.action), to: stake(it.action, it.to), all_in: it.is_all_in ? word("word", "with-all-in") : "",
    }),
    "put-in": (it) => {
      const to = (it.said_to ?? null) === null ? "" : say("word", "to", { amount: money(it.said_to) });
      return {
        ...atSeat(it), chips: money(it.chips), single: it.is_single ? word("word", "one-chip") : "",
        said: it.said ? say("word", "said-with", { action: word("action-may", it.said), to }) : "",
      };
    },
    "asks-for": changesOf,
    "moved": (it) => ({ ...atSeat(it), what: word("move", it.what) }),
    "stacked": amountAt,
    "transferred": (it) => ({
      spot: spot(`seat-${it.giver}`), other: spot(`seat-${it.taker}`), amount: money(it.amount), number: it.incident, by: persons(it.by, it.second),
    }),
    "button-placed": atSeat,
    "stopped": (it) => ({ why: it.why }),
    "tilted": (it) => ({ tilt: word("tilt", it.tilt), reason: quoted(it.reason) }),
    "cleared": (it) => ({ by: person(it.by), reason: quoted(it.reason) }),
    "unsealed": (it) => ({ by: person(it.by), reason: quoted(it.reason), of_hand: it.of_hand }),
    "deck-moved": (it) => ({ deck: it.deck, what: word("deck-state", it.state), by: capital(it.by) }),
    "access": (it) => ({
      who: (capital(it.who) || word("word", "nobody-named")) + (it.role ? ` (${word("person-role", it.role)})` : ""),
      what: word("access", it.what), about: it.about ? `, ${it.about}` : "",
    }),
    "badge-shown": (it) => ({ badge: it.badge.slice(0, 8) }),
    "tested": (it) => ({ by: person(it.by), what: word("test", it.what) }),
    "restored": (it) => ({ records: it.records, by: person(it.by) }),
    "float-counted": float("count"),
    "float-filled": float("fill"),
    "float-credited": float("credit"),
    "clock-stepped": (it) => ({ seconds: seconds(it.by_us) }),
    "open-end": (it) => ({ first: it.first, last: it.last }),
    "receipted": (it) => ({ last: it.to_seq }),
    "head-missing": (it) => ({ seq: it.to_seq }),
    "rollback-accepted": (it) => ({ seq: it.to_seq, who: persons(it.by, it.second), reason: quoted(it.reason) }),
    "security": (it) => ({ what: word("attempted", it.cause), count: it.count, source: it.source }),
    "software-approval": (it) => ({
      what: it.approved ? word("word", "software-approved") : say("word", "software-not-approved", {
        until: `${it.until.slice(0, 16).replaceAll("T", " ")} UTC`,
      }),
    }),
    "proven": (it) => ({ who: person(it.by), action: quoted(it.action) }),
    "format": (it) => ({ needs: it.needs }),
    "volume-opened": (it) => ({ volume: it.volume }),
    "volume-closed": (it) => ({ volume: it.volume }),
  };
  // Which of the sentences of a kind says it.
  const factKey = (fact) => {
    const variants = {
      "pressed": [[(fact.panel ?? null) !== null, "pressed-panel"]],
      "drawn": [[(fact.draw ?? null) === null, "drawn-again"], [fact.card === null, "drawn-unread"]],
      "unsealed": [[fact.granted === false, "unsealed-refused"]],
      "access": [[fact.granted === false, "access-refused"]],
      "restored": [[fact.by === "", "restored-by-nobody"]],
      "float-counted": [[fact.expected === null, "float-counted-unknown"]],
      "acknowledged": [[Boolean(fact.alarm), "acknowledged-alarm"]],
    };
    const found = Object.hasOwn(variants, fact.kind) ? variants[fact.kind].find(([applies]) => applies) : undefined;
    return found === undefined ? fact.kind : found[1];
  };

  const placed = (it) => ({ draw: it.draw, place: place(it.slot), card: "" });
  const betOf = (it) => ({ ...atSeat(it), bet: `${bet(it.bet)} ${money(it.amount)}`.trim() });
  const DECISIONS = {
    "hand-opened": (it) => ({ hand: it.hand, game: word("game", it.rulebook), version: it.version }),
    "phase-entered": (it) => ({ phase: word("phase", it.phase) }),
    "withdrawn": (it) => ({ number: it.number }),
    "again": (it) => ({ number: it.number }),
    "bet-taken": betOf,
    "bets-returned": atSeat,
    "folded": atSeat,
    "checked": atSeat,
    "left-to-boxes": (it) => ({ bet: bet(it.bet) }),
    "card-placed": placed,
    "card-turned": placed,
    "incident-raised": (it) => ({
      incident: it.incident, title: incidentTitle(it.expected, it.observed, it.remedies), expected: observed(it.expected), observed: observed(it.observed),
    }),
    "asked": (it) => ({ question: question(it.question, it.about) }),
    "incident-escalated": (it) => ({ incident: it.incident, remedies: remedies(it.remedies) }),
    "incident-closed": (it) => ({ incident: it.incident, remedy: word("remedy", it.remedy), by: word("chooser", it.by) }),
    "incident-seen": (it) => ({ incident: it.incident, by: person(it.by) }),
    "seat-voided": atSeat,
    "seat-withdrawn": atSeat,
    "seat-expelled": atSeat,
    "hand-voided": () => ({}),
    "refund": betOf,
    "bet-reversed": (it) => ({ ...atSeat(it), bet: bet(it.bet), pays: it.pays ? ` (${gain(-it.pays)})` : "" }),
    "ranked": (it) => ({ spot: spot(it.spot), category: word("category", it.category) }),
    "bet-settled": (it) => ({ ...atSeat(it), bet: bet(it.bet), outcome: outcomeOf(it.outcome, it.odds), pays: it.pays ? ` (${gain(it.pays)})` : "" }),
    "hand-closed": (it) => ({
      hand: it.hand, drawn: pluralize("word", "drawn", it.drawn), presses: pluralize("word", "pressed", it.presses),
      float: (it.float_change ?? null) === null ? "" : say("word", "float", { gain: gain(it.float_change) }),
    }),
    "croupier-at-table": who,
    "croupier-waits": who,
    "croupier-left": who,
    "limits-wait": limitsOf,
    "limits-in-force": limitsOf,
    "alarm-shelved": alarmOf,
    "alarm-unshelved": alarmOf,
    "alarm-seen": alarmOf,
    "button-at": atSeat,
    "player-now": (it) => ({ ...atSeat(it), what: word("move", it.what) }),
    "waits-to-enter": atSeat,
    "stack-now": amountAt,
    "bought": (it) => ({ ...amountAt(it), total: money(it.total) }),
    "account": (it) => ({ ...atSeat(it), bought: money(it.bought), stack: money(it.stack) }),
    "seat-drawn": (it) => ({ ...atSeat(it), place: spot(`seat-${it.place}`) }),
    "game-waits": (it) => ({ game: word("game", it.rulebook) }),
    "spoke": (it) => ({
      ...spoken(it, it.to), added: it.added ? say("word", "adds", { amount: money(it.added) }) : "", all_in: it.is_all_in ? word("word", "with-all-in") : "",
    }),
    "taken-back": (it) => spoken(it, null),
    "stored": (it) => spoken(it, it.to),
    "cut-offered": () => ({}),
    "exchanges": changesOf,
    "discards": (it) => ({ ...atSeat(it), cards: cards(it.cards) }),
    "stub-made": (it) => ({
      cards: cards(it.cards), seats: it.seats.map((seat) => spot(`seat-${seat}`)).join(", "),
      without: (it.without ?? null) === null ? "" : say("word", "without", { spot: spot(`seat-${it.without}`) }),
    }),
    "pot-carried": (it) => ({ amount: it.amount === null ? "" : ` (${money(it.amount)})` }),
    "uncalled": amountAt,
    "pot-made": (it) => ({ pot: potName(it.pot), amount: money(it.amount), seats: it.seats.join(", ") }),
    "mucked": atSeat,
    "awarded": (it) => ({ ...atSeat(it), pot: potName(it.pot), amount: it.amount === null ? "" : `: ${money(it.amount)}` }),
  };

  // A newer program may say what this page does not know, and a record may lack what it should have: its kind is told.
  const told = (table, kinds, it, key) => {
    try {
      if (Object.hasOwn(kinds, it.kind)) return sentence(say(table, key, kinds[it.kind](it)));
    } catch (wrong) {
      if (!(wrong instanceof TypeError)) throw wrong;
    }
    return sentence(say(table, "other", { kind: it.kind }));
  };
  const describeFact = (fact) => told("fact", FACTS, fact, factKey(fact));
  const describeDecision = (it, entry) => {
    if (it.kind === "refused") return sentence(say("decision", "refused", { why: refusal({ detail: "", ...it }, entry) }));
    return told("decision", DECISIONS, it, it.kind);
  };

  return {
    say, word, page, person, persons, bet, clause, choice, card, money, gain, pot, stage, fee, outcome: outcomeOf, observed, incidentTitle, remedies, place,
    describeFact, describeDecision,
  };
}

// The records of a hand on its time line: what happened, and what followed.
function entriesOf(hand, read, t) {
  const sealedIn = new Map(hand.records.filter((told) => numberOfCard(told) !== null).map((told) => [numberOfCard(told), told.seq]));
  return hand.records.map((told) => {
    const draw = numberOfCard(told);
    const commitment = commitmentOf(told);
    const reveals = told.reveals ?? [];
    const entry = told.fact.kind === "pressed" ? told.fact.key : told.fact.kind;
    const decisions = told.decisions
      .filter((said) => !(told.fact.kind === "bets" && said.kind === "bet-taken"))
      .filter((said) => !(said.kind === "card-turned" && reveals.some((reveal) => reveal.slot === said.slot)))
      .map((said) => [said.kind, t.describeDecision(said, entry), citedClause(said)]);
    const shown = reveals.map(({ slot, card, draw: number }) => {
      const values = { place: t.place(slot), card: t.card(card), seq: sealedIn.get(number) };
      return ["reveal", t.page("shown", values), null];
    });
    return {
      seq: told.seq, at: told.at, happened: t.describeFact(told.fact), followed: [...decisions, ...shown],
      card: draw === null ? null : read.card(draw, commitment !== null),
      digest: ["drawn", "failed"].includes(told.fact.kind) ? commitment : null,
    };
  });
}
