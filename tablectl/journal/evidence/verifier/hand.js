// A hand, read out of its public records alone: what lies where, who bet what, what became of it. Written from
// docs/journal.md and from the names of the decisions, beside the program's own reading of the same records: a test
// holds both against each other. Nothing here opens a sealed card, and nothing could.

// Facts about a card that nobody may know: where its code was stands what it was committed to.
const SEALED_FACTS = new Set(["drawn", "seen", "gone", "failed", "device-said"]);
// What is put in before the deal, where players bet against each other.
const POSTED = new Set(["small-blind", "big-blind", "entry", "small-entry", "ante", "dealer-ante"]);
// Which phase ends a round of betting, beside the end of the hand.
const ENDS_ROUND = {
  "pre-flop-betting": "flop", "flop-betting": "turn", "turn-betting": "river", "river-betting": "showdown",
  "first-betting": "draw", "second-betting": "showdown",
};
// Where cards are that have no place of their own.
const DISCARDED = "discarded", GATHERED = "gathered", TAKEN = "taken";
const SEATED = 1;

// --- the records of one hand ----------------------------------------------------------------------------------------

const isNote = (told) => NOTES.has(told.fact.kind);
const isCorrection = (told) => told.decisions[0]?.kind === "withdrawn";
const numberOfCard = (told) => told.fact.draw ?? null;
const commitmentOf = (told) => (SEALED_FACTS.has(told.fact.kind) ? (told.fact.card ?? null) : null);

// The hands of these records by number, each with the record before it that carries the table over, where there is one.
function handsOf(records) {
  const opened = records.filter(opensHand).map((told) => told.hand);
  return [...new Set(opened)].map((number) => handOf(records, number));
}

function handOf(records, number) {
  const own = records.filter((told) => told.hand === number);
  const end = records.indexOf(own.find(closesHand) ?? own.at(-1));
  const carried = own.findLast((told) => told.carry !== undefined && !closesHand(told));
  const first = records.indexOf(own[0]);
  const begin =
    carried === undefined ? records.findLastIndex((told, at) => at < first && told.carry !== undefined) : records.indexOf(carried);
  const before = begin < 0 ? null : records[begin];
  return { number, before, records: records.slice(begin + 1, end + 1) };
}

// The records with what follows from each as it is after all corrections (docs/adr/0012-corrections.md): a correction
// says anew what follows from the facts before it, by their numbers; the one that opened the hand is 1.
function asTheyStand(records) {
  const stand = [];
  let number = null;
  for (const told of records) {
    if (opensHand(told)) number = 1;
    else if (number !== null && !isNote(told)) number += 1;
    if (!isCorrection(told) || number === null) {
      stand.push({ number, told });
      continue;
    }
    const from = told.decisions[0].number;
    const again = saidAgain(told.decisions);
    const start = stand.findIndex((entry) => entry.number !== null && entry.number >= from && !isNote(entry.told));
    if (start >= 0) {
      for (const entry of stand.slice(start)) if (!isNote(entry.told)) entry.told = corrected(entry, from, again, told.fact);
    }
    stand.push({ number, told: { ...told, decisions: again.get(number) ?? [] } });
  }
  return stand.map((entry) => entry.told);
}

function saidAgain(decisions) {
  const again = new Map();
  let following = null;
  for (const decision of decisions) {
    if (decision.kind === "again") again.set(decision.number, (following = []));
    else if (following !== null) following.push(decision);
  }
  return again;
}

function corrected({ number, told }, from, again, correction) {
  const decisions = again.get(number);
  if (decisions === undefined) {
    if (told.fact.kind === "corrected") return told;
    return { ...told, fact: { kind: "time-passed" }, decisions: [], wasCard: told.wasCard ?? cardFacts(told) };
  }
  const instead = correction.kind === "corrected" && number === from ? (correction.instead ?? null) : null;
  if (instead === null) return { ...told, decisions };
  return { ...told, fact: instead, decisions, wasCard: told.wasCard ?? cardFacts(told) };
}

// The card that a fact brought stays the one that it was, whatever was entered wrongly about it.
const cardFacts = (told) => ({ draw: numberOfCard(told), commitment: commitmentOf(told) });

// --- the table ------------------------------------------------------------------------------------------------------

const emptySeat = () => ({
  made: new Map(), inHand: false, folded: false, void: false, withdrawn: false, expelled: false, decided: false,
  standing: new Map(),
});
const emptyPlayer = () => ({
  isThere: true, stack: null, owesBlind: false, kept: 0, putIn: null, hasMucked: false, stored: "",
});

function emptyTable() {
  return {
    phase: "closed", cards: new Map(), slots: new Map(), seats: new Map(), refunds: [], settled: [], paid: [],
    reversals: [], ranks: new Map(), named: new Map(), void: null, before: [],
    circle: {
      players: new Map(), button: null, moves: [], pots: [], arePotsWhole: false, awards: [], awardedSeq: 0,
      uncalled: new Map(), discards: new Map(), carried: null, isCarried: false,
    },
  };
}

const seatAt = (table, number) => table.seats.get(number) ?? emptySeat();
const playerAt = (table, number) => table.circle.players.get(number) ?? { ...emptyPlayer(), isThere: false };

function sit(table, number, change) {
  table.seats.set(number, { ...seatAt(table, number), ...change });
}

function play(table, number, change) {
  table.circle.players.set(number, { ...playerAt(table, number), ...change });
}

// What goes over from the hand before: who sits there, with what, and where the button was.
function carryOver(table, carry) {
  const circle = table.circle;
  if (!carry.players?.length) return;
  circle.players = new Map();
  for (const text of carry.players) {
    const [word, presence, ...more] = text.split(" ");
    const seat = Number(word.replace("seat=", ""));
    const kept = Object.values(carry.kept?.[seat] ?? {}).reduce((sum, amount) => sum + (amount ?? 0), 0);
    circle.players.set(seat, {
      ...emptyPlayer(), isThere: presence === "in", stack: carry.stacks?.[seat] ?? null, kept,
      owesBlind: more.some((part) => part.startsWith("missed=")),
    });
  }
  const at = (carry.markers ?? "").split(" ")[0];
  if (at) circle.button = Number(at.replace("button=", ""));
  circle.carried = carry.carried || null;
}

// --- cards ----------------------------------------------------------------------------------------------------------

const spotOf = (slot) => (slot ?? "").split(".")[0];
const seatOfSlot = (slot) => (slot.startsWith("seat-") ? Number(spotOf(slot).slice("seat-".length)) : null);
const placeOf = (slot) => {
  const position = (slot ?? "").includes(".") ? slot.split(".").at(-1) : "";
  return /^[0-9]+$/.test(position) ? Number(position) : 0;
};
const isFaceUp = (slot) => slot.startsWith("board.") || slot.startsWith("aside.") || slot.endsWith(".up");

function cardCame(table, told) {
  const { draw, commitment } = told.wasCard ?? cardFacts(told);
  if (draw === null || table.cards.has(draw)) return;
  table.cards.set(draw, { draw, slot: null, up: false, isRead: commitment !== null || told.fact.kind === "named" });
}

function placeCard(table, said, told) {
  if (told.prompt?.back?.includes(said.draw)) return; // shown there, and back in the deck at once
  const card = table.cards.get(said.draw) ?? { draw: said.draw, slot: null, up: false, isRead: true };
  for (const [slot, draw] of table.slots) if (draw === said.draw) table.slots.delete(slot);
  const other = table.slots.get(said.slot);
  if (other !== undefined) table.cards.set(other, { ...table.cards.get(other), slot: null });
  table.slots.set(said.slot, said.draw);
  table.cards.set(said.draw, { ...card, slot: said.slot, up: isFaceUp(said.slot) });
  dealIn(table, seatOfSlot(said.slot));
}

// A seat with a card is in the hand; where players sit, only one at which somebody does who can play it.
function dealIn(table, seat) {
  if (seat === null || seatAt(table, seat).inHand) return;
  const players = table.circle.players;
  if (players.size > 0 && !players.has(seat)) return;
  if (players.size > 0 && players.get(seat).owesBlind && !players.get(seat).isThere) return;
  sit(table, seat, { inHand: true });
}

// Nobody saw which of his cards a player put away: the one that is turned up at a place was there.
function turnCard(table, said) {
  const card = table.cards.get(said.draw);
  const other = table.slots.get(said.slot);
  if (other !== undefined && other !== said.draw && card !== undefined) {
    const swapped = (draw) => (draw === said.draw ? other : draw === other ? said.draw : draw);
    table.slots = new Map([...table.slots].map(([slot, draw]) => [slot, swapped(draw)]));
    const discards = [...table.circle.discards].map(([seat, draws]) => [seat, draws.map(swapped)]);
    table.circle.discards = new Map(discards);
    table.cards.set(other, { ...table.cards.get(other), slot: card.slot });
    table.cards.set(said.draw, { ...card, slot: said.slot, up: true });
    return;
  }
  table.cards.set(said.draw, { ...(card ?? { draw: said.draw, slot: said.slot, isRead: true }), up: true });
}

function nameCard(table, told) {
  if (told.decisions.some((decision) => decision.kind === "refused")) return;
  const { kind, card, slot } = told.fact;
  let draws = [];
  if (kind === "named") draws = [table.slots.get(slot)];
  else if (kind === "corrected" && typeof card === "string") {
    draws = told.decisions.filter((decision) => decision.kind === "card-turned").map((decision) => decision.draw);
  }
  for (const draw of draws) if (draw !== undefined) table.named.set(draw, card);
}

function putCards(table, draws, slot) {
  for (const draw of draws) {
    if (table.cards.has(draw)) table.cards.set(draw, { ...table.cards.get(draw), slot, up: false });
  }
  for (const [name, draw] of table.slots) if (draws.includes(draw)) table.slots.delete(name);
}

function cardsAt(table, spot) {
  return [...table.slots]
    .filter(([slot]) => slot.slice(0, slot.lastIndexOf(".")) === spot)
    .sort(([one, draw], [other, next]) => placeOf(one) - placeOf(other) || draw - next)
    .map(([, draw]) => table.cards.get(draw));
}

// --- bets against the bank --------------------------------------------------------------------------------------------

// Whoever bets at a box, the seat itself or somebody who stands behind it, changed by this.
function changeBettor(table, number, bettor, change) {
  if (bettor === SEATED) {
    sit(table, number, change(seatAt(table, number)));
    return;
  }
  const standing = new Map(seatAt(table, number).standing);
  standing.set(bettor, { ...change(standing.get(bettor) ?? { made: new Map(), out: false }) });
  sit(table, number, { standing: new Map([...standing].sort(([one], [other]) => one - other)) });
}

const withBet = (bettor, bet, amount, phase) => ({
  ...bettor, made: new Map(bettor.made).set(bet, { amount, phase, lies: true }),
});
const withoutChips = (bettor, gone) => ({
  ...bettor,
  made: new Map([...bettor.made].map(([name, bet]) => [name, gone(name, bet) ? { ...bet, lies: false } : bet])),
});
const withoutBet = (bettor, name) => ({ ...bettor, made: new Map([...bettor.made].filter(([other]) => other !== name)) });
const isSameBet = (one, other) =>
  one.seat === other.seat && (one.bettor ?? SEATED) === (other.bettor ?? SEATED) && one.bet === other.bet;

function takeBet(table, said) {
  if (table.circle.button !== null && POSTED.has(said.bet)) return post(table, said);
  const bettor = said.bettor ?? SEATED;
  changeBettor(table, said.seat, bettor, (held) => withBet(held, said.bet, said.amount, table.phase));
  if (bettor === SEATED) sit(table, said.seat, { inHand: true, decided: true });
}

function returnBets(table, said) {
  if ((said.bettor ?? SEATED) === SEATED) {
    table.seats.delete(said.seat);
    return;
  }
  const standing = new Map(seatAt(table, said.seat).standing);
  standing.delete(said.bettor);
  sit(table, said.seat, { standing });
}

function fold(table, said) {
  const bettor = said.bettor ?? SEATED;
  if (bettor === SEATED) {
    sit(table, said.seat, { folded: true, decided: true });
    return;
  }
  // Whoever stands and does not go on takes back what he had added after the bets were closed.
  changeBettor(table, said.seat, bettor, (held) => {
    const first = [...held.made.values()][0]?.phase ?? "";
    return { ...withoutChips(held, (_name, bet) => bet.phase !== first), out: true };
  });
}

function leaveToBoxes(table, said) {
  for (const [number, seat] of table.seats) {
    if (seat.decided || seat.folded || seat.void || seat.withdrawn) continue;
    table.seats.set(number, { ...withBet(seat, said.bet, null, table.phase), decided: true });
  }
}

function refund(table, said) {
  const bettor = said.bettor ?? SEATED;
  table.refunds.push({ seat: said.seat, bet: said.bet, amount: said.amount, bettor });
  const seat = table.seats.get(said.seat);
  const goesOn = seat !== undefined && !(table.void || seat.void || seat.withdrawn);
  if (goesOn && (bettor === SEATED || seat.standing.has(bettor))) {
    changeBettor(table, said.seat, bettor, (held) => withoutBet(held, said.bet));
  }
  if (said.bet === "pot") {
    const player = playerAt(table, said.seat);
    const stack = player.stack === null ? null : player.stack + (said.amount ?? 0);
    play(table, said.seat, { stack, putIn: (player.putIn ?? 0) - (said.amount ?? 0) || null });
  }
}

// A phase ends: what was settled before it began was paid and collected in it, and lies in no box any more.
function payEarly(table) {
  const paid = table.settled.filter((result) => result.phase !== table.phase);
  if (paid.length === 0) return;
  table.settled = table.settled.filter((result) => result.phase === table.phase);
  table.paid.push(...paid);
  const gone = (seat, bettor) => (bet) => paid.some((result) => isSameBet(result, { seat, bettor, bet }));
  for (const [number, seat] of table.seats) {
    const standing = [...seat.standing].map(([bettor, held]) => [bettor, withoutChips(held, gone(number, bettor))]);
    table.seats.set(number, { ...withoutChips(seat, gone(number, SEATED)), standing: new Map(standing) });
  }
}

function reverseBet(table, said) {
  const isUndone = (result) => isSameBet(result, said);
  table.reversals.push(...[...table.paid, ...table.settled].filter(isUndone));
  table.paid = table.paid.filter((result) => !isUndone(result));
  table.settled = table.settled.filter((result) => !isUndone(result));
}

// --- games for pots -----------------------------------------------------------------------------------------------------

function freshCircle(circle, change) {
  const players = [...circle.players].map(([seat, player]) => [
    seat,
    { ...emptyPlayer(), isThere: player.isThere, stack: player.stack, owesBlind: player.owesBlind, kept: player.kept },
  ]);
  return { ...emptyTable().circle, players: new Map(players), button: circle.button, ...change };
}

function unaward(table) {
  table.circle.awards = [];
  table.circle.uncalled = new Map();
}

function putChips(player, amount) {
  if (amount === null || amount === undefined) return {};
  const stack = player.stack === null ? null : Math.max(0, player.stack - amount);
  return { stack, putIn: (player.putIn ?? 0) + amount };
}

function post(table, said) {
  table.circle.moves.push({ seat: said.seat, phase: said.bet, action: "", added: said.amount });
  sit(table, said.seat, { inHand: true });
  table.before = [];
  const player = { ...playerAt(table, said.seat) };
  if (player.stack !== null) player.stack += player.kept;
  play(table, said.seat, { ...player, ...putChips(player, said.amount), isThere: true, kept: 0 });
}

function speak(table, said) {
  const { seats, circle } = structuredClone({ seats: table.seats, circle: table.circle });
  table.before.push({ seat: said.seat, action: said.action, seats, circle });
  table.circle.moves.push({ seat: said.seat, phase: table.phase, action: said.action, added: said.added });
  table.circle.arePotsWhole = false;
  const player = playerAt(table, said.seat);
  play(table, said.seat, { ...(said.added ? putChips(player, said.added) : {}), stored: "" });
  sit(table, said.seat, { inHand: true, folded: said.action === "fold" });
}

// As if the action had never been entered: one that waited for its turn, or one that was carried out. A fold after
// which others acted is taken back alone; otherwise the table is as it was before it.
function takeBack(table, { seat, action }) {
  unaward(table);
  const player = playerAt(table, seat);
  if (player.stored === action) return play(table, seat, { stored: "" });
  if (action === "fold" && player.hasMucked) {
    sit(table, seat, { folded: false });
    return play(table, seat, { hasMucked: false });
  }
  const at = table.before.findLastIndex((earlier) => earlier.seat === seat && earlier.action === action);
  if (at < 0) return undefined;
  const { seats, circle } = table.before[at];
  const last = table.circle.moves.findLastIndex((move) => move.seat === seat && move.action === action);
  const moves = table.circle.moves.toSpliced(last, 1);
  table.seats.set(seat, seats.get(seat) ?? emptySeat());
  if (action === "fold" && at < table.before.length - 1) {
    play(table, seat, {});
    table.before.splice(at, 1);
    Object.assign(table.circle, { moves, arePotsWhole: false });
    return undefined;
  }
  const stored = new Map([...table.circle.players].map(([number, held]) => [number, held.stored]));
  for (const [number, held] of circle.players) held.stored = stored.get(number) ?? "";
  table.circle = { ...circle, moves, arePotsWhole: false };
  table.before.length = at;
  return undefined;
}

function enterPhase(table, phase) {
  if (phase !== "closed") payEarly(table);
  if (phase === "settlement") unaward(table);
  const endsRound = table.phase in ENDS_ROUND && [ENDS_ROUND[table.phase], "settlement"].includes(phase);
  if (endsRound) for (const number of table.circle.players.keys()) play(table, number, { stored: "" });
  for (const number of table.seats.keys()) sit(table, number, { decided: false });
  table.phase = phase;
}

// The pots are awarded in one record; another one awards them anew.
function awardIn(table, seq) {
  if (table.circle.awards.length > 0 && table.circle.awardedSeq !== seq) unaward(table);
  table.circle.awardedSeq = seq;
}

function changePlayer(table, said) {
  const isInHand = seatAt(table, said.seat).inHand;
  if (said.what === "leaves" && !isInHand) table.circle.players.delete(said.seat);
  else if (said.what === "takes" && !isInHand) table.circle.players.set(said.seat, emptyPlayer());
  else play(table, said.seat, { isThere: said.what === "takes" || said.what === "back" });
}

// The button lies: the cards of a draw for it are gathered again.
function placeButton(table, said) {
  const drawn = [...table.slots].filter(([slot]) => slot.endsWith(".up"));
  for (const [slot, draw] of drawn) {
    table.slots.delete(slot);
    table.cards.delete(draw);
  }
  if (drawn.length > 0) table.seats = new Map();
  table.circle.button = said.seat;
}

function drawSeats(table, said, told) {
  const moved = told.decisions.filter((decision) => decision.kind === "seat-drawn");
  if (said !== moved[0]) return;
  const before = table.circle.players;
  const places = new Map(moved.map(({ seat, place }) => [seat, place]));
  const going = [...places].map(([seat, place]) => [place, playerAt(table, seat)]);
  table.circle.players = new Map([...[...before].filter(([seat]) => !places.has(seat)), ...going]);
}

function withdrawSeat(table, number) {
  unaward(table);
  table.circle.arePotsWhole = false;
  for (const [slot, draw] of [...table.slots]) {
    if (seatOfSlot(slot) !== number) continue;
    table.cards.set(draw, { ...table.cards.get(draw), slot: `${TAKEN}.${number}` });
    table.slots.delete(slot);
  }
  sit(table, number, { withdrawn: true });
}

function discard(table, said) {
  const known = said.draws ?? [];
  const others = cardsAt(table, `seat-${said.seat}`).map((card) => card.draw).filter((draw) => !known.includes(draw));
  const gone = [...known, ...others.slice(others.length - (said.cards - known.length))];
  putCards(table, gone, DISCARDED);
  table.circle.discards.set(said.seat, gone);
}

function makeStub(table, said) {
  putCards(table, said.seats.flatMap((seat) => table.circle.discards.get(seat) ?? []), GATHERED);
  for (const seat of said.seats) table.circle.discards.delete(seat);
}

// --- what each decision changes -------------------------------------------------------------------------------------

const CHANGES = {
  "hand-opened": (table) => {
    Object.assign(table, {
      seats: new Map(), refunds: [], settled: [], paid: [], reversals: [], ranks: new Map(), void: null,
      circle: freshCircle(table.circle, { button: null, carried: table.circle.carried }),
    });
  },
  "phase-entered": (table, said) => enterPhase(table, said.phase),
  "seat-voided": (table, said) => {
    unaward(table);
    table.circle.arePotsWhole = false;
    sit(table, said.seat, { void: true });
  },
  "seat-withdrawn": (table, said) => withdrawSeat(table, said.seat),
  "seat-expelled": (table, said) => sit(table, said.seat, { expelled: true }),
  "hand-voided": (table, said) => {
    unaward(table);
    table.void = said.clause;
  },
  "ranked": (table, said) => table.ranks.set(said.spot, said.category),
  "bet-taken": takeBet,
  "bets-returned": returnBets,
  "folded": fold,
  "checked": (table, said) => sit(table, said.seat, { decided: true }),
  "left-to-boxes": leaveToBoxes,
  "refund": refund,
  "bet-reversed": reverseBet,
  "bet-settled": (table, said) => table.settled.push({ ...said, bettor: said.bettor ?? SEATED, phase: table.phase }),
  "card-placed": placeCard,
  "card-turned": turnCard,
  "button-at": placeButton,
  "player-now": changePlayer,
  "waits-to-enter": (table, said) => play(table, said.seat, {}),
  "exchanges": (table, said) => play(table, said.seat, {}),
  "stack-now": (table, said) => play(table, said.seat, { stack: said.amount }),
  "seat-drawn": drawSeats,
  "spoke": speak,
  "taken-back": takeBack,
  "stored": (table, said) => play(table, said.seat, { stored: said.action }),
  "uncalled": (table, said, told) => {
    awardIn(table, told.seq);
    table.circle.uncalled.set(said.seat, (table.circle.uncalled.get(said.seat) ?? 0) + said.amount);
  },
  "pot-made": (table, said) => {
    const before = said.pot === 1 ? [] : table.circle.pots;
    table.circle.pots = [...before, { pot: said.pot, amount: said.amount, seats: said.seats }];
    table.circle.arePotsWhole = true;
  },
  "mucked": (table, said) => {
    sit(table, said.seat, { folded: true });
    play(table, said.seat, { hasMucked: true });
  },
  "awarded": (table, said, told) => {
    awardIn(table, told.seq);
    table.circle.awards.push({ pot: said.pot, seat: said.seat, amount: said.amount, clause: said.clause });
  },
  "discards": discard,
  "stub-made": makeStub,
  "pot-carried": (table, said) => Object.assign(table.circle, { carried: said.amount, isCarried: true }),
};

function take(table, told, number) {
  cardCame(table, told);
  for (const decision of told.decisions) {
    if (decision.kind === "incident-closed" && decision.remedy === "reject" && number.get(decision.incident) === "named-cards") {
      unaward(table);
    }
    if (decision.kind === "incident-raised") number.set(decision.incident, decision.observed);
    if (Object.hasOwn(CHANGES, decision.kind)) CHANGES[decision.kind](table, decision, told);
  }
  nameCard(table, told);
  for (const draw of told.prompt?.back ?? []) {
    table.cards.delete(draw);
    for (const [slot, other] of table.slots) if (other === draw) table.slots.delete(slot);
  }
}

// --- how it ended ---------------------------------------------------------------------------------------------------

const sum = (amounts) => (amounts.some((amount) => amount === null || amount === undefined) ? null : amounts.reduce((all, one) => all + one, 0));

// The table as the last record of the hand left it, before anything was collected.
function endOf(hand) {
  const table = emptyTable();
  const observed = new Map();
  if (hand.before !== null && hand.before.carry) carryOver(table, hand.before.carry);
  for (const told of asTheyStand(hand.records)) {
    take(table, { ...told, decisions: told.decisions.filter((decision) => decision.kind !== "hand-closed") }, observed);
  }
  const codes = new Map();
  for (const told of hand.records) for (const reveal of told.reveals ?? []) codes.set(reveal.draw, reveal.card);
  for (const [draw, code] of table.named) codes.set(draw, code);
  return { table, codes };
}

function readHand(hand) {
  const { table, codes } = endOf(hand);
  const card = (draw, isRead) => ({ code: codes.get(draw) ?? null, isRead, isNamed: table.named.has(draw) });
  const shown = (lying) => lying.map(({ draw, isRead }) => card(draw, isRead));
  const heap = (slot) => [...table.cards.values()].filter((lying) => spotOf(lying.slot) === slot).sort((one, other) => placeOf(one.slot) - placeOf(other.slot));
  const heaps = { discard: heap(DISCARDED), taken: heap(TAKEN) };
  const pile = (spot) => shown([...(heaps[spot] ?? []), ...cardsAt(table, spot)]);
  const closed = hand.records.at(-1).decisions.find((decision) => decision.kind === "hand-closed") ?? null;
  const floatChange = closed?.float_change ?? null;
  return {
    table, card, floatChange,
    isClosed: closed !== null,
    piles: {
      board: pile("board"), house: pile("house"), burn: pile("burn"), aside: pile("aside"), discard: pile("discard"),
      taken: pile("taken"), waiting: shown([...table.cards.values()].filter((lying) => lying.slot === null)),
    },
    isLaid: [...table.cards.values()].some((lying) => !spotOf(lying.slot).startsWith("seat-")),
    bettors: bettorsOf(table, pile),
    players: playersOf(table, pile),
    pots: potsOf(table, floatChange),
    isDecided: table.circle.awards.length > 0 || table.refunds.length > 0,
    incidents: incidentsOf(hand.records),
  };
}

function holdingOf(table, number, pile) {
  const seat = seatAt(table, number);
  const states = [
    ["void-seat", seat.void], ["withdrawn", seat.withdrawn], ["gave-up", playerAt(table, number).hasMucked], ["folded", seat.folded],
  ];
  return {
    seat: number, cards: pile(`seat-${number}`), isExpelled: seat.expelled, rank: table.ranks.get(`seat-${number}`) ?? "",
    state: states.find(([, applies]) => applies)?.[0] ?? "",
  };
}

const byNumber = ([one], [other]) => one - other;

function bettorsOf(table, pile) {
  return [...table.seats].sort(byNumber).flatMap(([number, seat]) => [
    bettorOf(table, holdingOf(table, number, pile), SEATED, seat.made),
    ...[...seat.standing].map(([bettor, held]) =>
      bettorOf(table, { seat: number, cards: [], isExpelled: false, rank: "", state: held.out ? "folded" : "" }, bettor, held.made)),
  ]);
}

function bettorOf(table, holding, bettor, made) {
  const results = [...table.reversals, ...table.paid, ...table.settled];
  const bets = [...made].map(([name, bet]) => {
    const own = { seat: holding.seat, bettor, bet: name };
    const settled = results.findLast((result) => isSameBet(result, own)) ?? null;
    const isRefunded = table.refunds.some((back) => isSameBet(back, own));
    return {
      name, amount: bet.amount, settled, isReversed: table.reversals.some((result) => isSameBet(result, own)),
      isReturned: isRefunded || (settled === null && !bet.lies),
    };
  });
  const isOwn = (result) => result.seat === holding.seat && result.bettor === bettor && !made.has(result.bet);
  const prizes = [...table.paid, ...table.settled].filter(isOwn);
  return { holding, bettor, bets, prizes, net: netOfBettor(bets, prizes) };
}

// What he wins or loses beside his stakes; null while nothing is decided, and without amounts.
function netOfBettor(bets, prizes) {
  const pays = bets.filter((bet) => bet.settled !== null && !bet.isReversed).map((bet) => bet.settled.pays);
  if (pays.length === 0) return bets.some((bet) => bet.isReturned || bet.isReversed) ? 0 : null;
  return sum([...pays, ...prizes.map((prize) => prize.pays)]);
}

function playersOf(table, pile) {
  const dealt = [...table.cards.values()].map((lying) => spotOf(lying.slot)).filter((spot) => spot.startsWith("seat-"));
  const numbers = new Set([...table.seats.keys(), ...dealt.map((spot) => Number(spot.slice("seat-".length)))]);
  return [...numbers].sort((one, other) => one - other).map((number) => {
    const moves = table.circle.moves.filter((move) => move.seat === number);
    const shares = table.circle.awards.filter((share) => share.seat === number);
    const uncalled = table.circle.uncalled.get(number) ?? 0;
    const back = table.refunds.filter((refunded) => refunded.seat === number);
    const refunded = back.reduce((all, one) => all + (one.amount ?? 0), 0);
    const putIn = sum(moves.map((move) => move.added));
    const won = sum(shares.map((share) => share.amount));
    const net = putIn === null || won === null ? null : won + uncalled + refunded - putIn;
    return { holding: holdingOf(table, number, pile), moves, shares, uncalled, refunded: back.length > 0 ? refunded : null, putIn, net };
  });
}

function potsOf(table, floatChange) {
  const { awards, pots, arePotsWhole } = table.circle;
  const told = new Map(arePotsWhole ? pots.map((pot) => [pot.pot, pot]) : []);
  const numbers = awards.length > 0 ? [...new Set(awards.map((share) => share.pot))] : [...told.keys()];
  return numbers.sort((one, other) => one - other).map((number) => {
    const shares = awards.filter((share) => share.pot === number);
    const paid = sum(shares.map((share) => share.amount));
    let amount = told.get(number)?.amount ?? null;
    const isOnly = shares.length > 0 && shares.length === awards.length;
    if (amount === null && isOnly && paid !== null) amount = paid + (floatChange ?? 0); // all others had folded
    const fee = amount === null || paid === null || shares.length === 0 ? null : amount - paid;
    return { number, amount, fee, seats: told.get(number)?.seats ?? [], shares };
  });
}

function incidentsOf(records) {
  const found = new Map();
  for (const told of asTheyStand(records)) {
    for (const said of told.decisions) {
      const incident = found.get(said.incident);
      if (said.kind === "incident-raised") {
        found.set(said.incident, {
          raised: said, at: incident?.at ?? told.at, remedies: said.remedies, closed: null, closedAt: "", ruling: null, seen: [],
        });
      } else if (incident === undefined) continue;
      else if (said.kind === "incident-escalated") incident.remedies = said.remedies;
      else if (said.kind === "incident-seen") incident.seen.push([said.by, told.at]);
      else if (said.kind === "incident-closed") {
        Object.assign(incident, { closed: said, closedAt: told.at, ruling: told.fact.kind === "ruled" ? told.fact : null });
      }
    }
  }
  return [...found.values()];
}

// --- what the house chose -------------------------------------------------------------------------------------------

function setupOf(hand) {
  const found = hand.before?.carry?.setup ? [hand.before.carry.setup] : [];
  for (const told of hand.records) {
    if (told.fact.setup) found.push(told.fact.setup);
    const opened = told.decisions.find((decision) => decision.kind === "hand-opened");
    if (opened !== undefined) return found.findLast((setup) => setup.rulebook === opened.rulebook) ?? found.at(-1);
  }
  return found.at(-1);
}

function currencyOf(hand) {
  const told = hand.records.findLast((record) => typeof record.currency === "string" && Number.isInteger(record.currency_exponent));
  return told === undefined ? null : { code: told.currency, exponent: told.currency_exponent };
}
