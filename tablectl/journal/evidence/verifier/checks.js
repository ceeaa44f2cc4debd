// The checks of a bundle, in the browser alone: SHA-256 and Ed25519 of WebCrypto, and no code of the program that
// wrote the records. `checkRecords` says of each check whether it is good, bad, open, or not possible with what was
// given; the words for that stand in the catalogues, and here is only the key of each.

const HASH_BYTES = 32;
const ZERO = "0".repeat(2 * HASH_BYTES);
const LINE_END = 0x0a;
// A record as a line: its public form without the last brace, its hash, and where the table signed the signature.
const LINE = /^(\{.*),"hash":"([0-9a-f]{64})"(?:,"signature":"([0-9a-f]{128})")?\}$/s;
// How a public key in PEM begins once its base64 is undone (RFC 8410, section 4).
const KEY_HEAD = "302a300506032b6570032100";
// Facts that are signed whatever follows from them; notes, which tell of the journal's own life, are among them.
const NOTES = new Set([
  "stopped", "tilted", "cleared", "unsealed", "deck-moved", "volume-opened", "volume-closed", "access", "badge-shown",
  "tested", "restored", "float-counted", "float-filled", "float-credited", "format", "clock-stepped", "open-end",
  "receipted", "head-missing", "rollback-accepted", "security", "software-approval", "proven",
]);
const SIGNED_FACTS = new Set(["opened", "game-chosen", ...NOTES]);
// From this format on every record between two hands is signed.
const SIGNS_BETWEEN = 3;
// RFC 8032, section 7.1, test 2: a browser that finds this signature good can check those of a table.
const KNOWN = {
  key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  text: "72",
  signature:
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
};
const GOOD = "good", BAD = "bad", OPEN = "open", IMPOSSIBLE = "impossible";

// --- bytes ----------------------------------------------------------------------------------------------------------

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const isHex = (text, digits) => typeof text === "string" && text.length === digits && /^[0-9a-f]*$/.test(text);
const encoded = (text) => new TextEncoder().encode(text);

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function sha256(...parts) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts))));
}

// The 32 bytes of an Ed25519 public key out of a PEM file, in hexadecimal digits; null for what is none.
function keyOfPem(pem) {
  const body = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(pem);
  if (body === null) return null;
  try {
    const hex = hexOf(Uint8Array.from(atob(body[1].replace(/\s/g, "")), (sign) => sign.charCodeAt(0)));
    return hex.startsWith(KEY_HEAD) && hex.length === KEY_HEAD.length + 2 * HASH_BYTES
      ? hex.slice(KEY_HEAD.length)
      : null;
  } catch {
    return null;
  }
}

// --- what this browser can do ---------------------------------------------------------------------------------------

async function importedKey(hex) {
  return crypto.subtle.importKey("raw", bytesOf(hex), { name: "Ed25519" }, false, ["verify"]);
}

async function isSigned(key, text, signature) {
  return crypto.subtle.verify({ name: "Ed25519" }, key, bytesOf(signature), text);
}

// Whether hashes and signatures can be checked here: some browsers know no Ed25519, and none has WebCrypto on a page
// that came over the network without encryption.
async function abilities() {
  if (globalThis.crypto === undefined || crypto.subtle === undefined) return { hashes: false, signatures: false };
  try {
    const key = await importedKey(KNOWN.key);
    const knowsGood = await isSigned(key, bytesOf(KNOWN.text), KNOWN.signature);
    const knowsBad = await isSigned(key, bytesOf("73"), KNOWN.signature);
    return { hashes: true, signatures: knowsGood && !knowsBad };
  } catch {
    return { hashes: true, signatures: false };
  }
}

// --- records --------------------------------------------------------------------------------------------------------

function isRecord(told) {
  return (
    told !== null && typeof told === "object" && Number.isSafeInteger(told.seq) && Number.isSafeInteger(told.hand) &&
    told.fact !== null && typeof told.fact === "object" && typeof told.fact.kind === "string" &&
    Array.isArray(told.decisions) &&
    told.decisions.every((decision) => decision !== null && typeof decision === "object" && typeof decision.kind === "string") &&
    (told.reveals === undefined || Array.isArray(told.reveals))
  );
}

// The lines of a file, each with its bytes as they are chained; `bad` is the number of the first one that is no whole
// record, where there is one.
function readLines(bytes) {
  const lines = [];
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, start);
    const bad = lines.length + 1;
    if (end < 0) return { lines, bad };
    try {
      const found = LINE.exec(utf8.decode(bytes.subarray(start, end)));
      if (found === null) return { lines, bad };
      const [, body, hash, signature] = found;
      const told = JSON.parse(`${body}}`);
      if (!isRecord(told)) return { lines, bad };
      lines.push({ told, bytes: encoded(`${body}}`), hash, signature: signature ?? null });
    } catch {
      return { lines, bad };
    }
    start = end + 1;
  }
  return { lines, bad: null };
}

const closesHand = (told) => told.decisions.some((decision) => decision.kind === "hand-closed");
const opensHand = (told) => told.decisions.some((decision) => decision.kind === "hand-opened");

// What the first record has to follow, in hexadecimal digits; null where nobody said.
function followedHash(first, about) {
  if (first.told.seq === 1) return ZERO;
  const follows = first.told.fact.kind === "volume-opened" ? first.told.fact.follows : null;
  if (follows !== null && follows !== undefined && isHex(follows.hash, 64)) return follows.hash;
  return about !== null && isHex(about.hash_before, 64) ? about.hash_before : null;
}

// Whether each record is to be signed, in order: after a start, a note, the end of a hand, and between two hands.
function dueSignatures(lines) {
  const first = lines[0].told;
  const isInside = first.seq !== 1 && first.fact.kind !== "volume-opened";
  let isInHand = false;
  let signsBetween = isInside && (first.format ?? 0) >= SIGNS_BETWEEN;
  return lines.map(({ told }) => {
    isInHand = (isInHand || opensHand(told)) && !closesHand(told);
    const isDue =
      SIGNED_FACTS.has(told.fact.kind) || closesHand(told) || told.carry !== undefined || (signsBetween && !isInHand);
    signsBetween ||= told.fact.kind === "format" || (told.format ?? 0) >= SIGNS_BETWEEN;
    return isDue;
  });
}

// --- the checks -----------------------------------------------------------------------------------------------------

const outcome = (state, key, values = {}) => ({ state, key, values });

async function checkChain(lines, bad, about) {
  if (bad !== null) return outcome(BAD, "lines-bad", { line: bad });
  if (lines.length === 0) return outcome(BAD, "lines-none");
  let before = followedHash(lines[0], about);
  let isFirstKnown = true;
  for (const [at, line] of lines.entries()) {
    const due = lines[0].told.seq + at;
    if (line.told.seq !== due) return outcome(BAD, "chain-number", { seq: due, found: line.told.seq });
    if (before === null) isFirstKnown = false;
    else if ((await sha256(bytesOf(before), line.bytes)) !== line.hash) return outcome(BAD, "chain-changed", { seq: due });
    before = line.hash;
  }
  const values = { first: lines[0].told.seq, last: lines.at(-1).told.seq };
  return isFirstKnown ? outcome(GOOD, "chain-good", values) : outcome(IMPOSSIBLE, "chain-first-unknown", values);
}

function checkBeginning(lines) {
  const { told, signature } = lines[0];
  for (const [at, line] of lines.entries()) {
    const closed = at > 0 && lines[at - 1].told.fact.kind === "volume-closed";
    if (closed && line.told.fact.kind !== "volume-opened") return outcome(BAD, "begin-volume", { seq: line.told.seq });
  }
  if (told.seq === 1) return told.fact.kind === "opened" ? outcome(GOOD, "begin-table") : outcome(BAD, "begin-other");
  if (signature === null) return outcome(BAD, "begin-unsigned", { seq: told.seq });
  if (told.carry === undefined) return outcome(BAD, "begin-inside", { seq: told.seq });
  return outcome(GOOD, "begin-boundary", { seq: told.seq });
}

// The keys that somebody names: the records themselves, the file of the key, the summary. They have to be one.
function namedKeys(lines, given) {
  const inRecords = lines.filter(({ told }) => told.keys !== undefined).map(({ told }) => told.keys?.signing);
  return [...inRecords, ...[given.key, given.about?.public_key].filter((key) => key !== null && key !== undefined)];
}

async function checkKey(key, keys, fingerprint) {
  if (key === null) return outcome(IMPOSSIBLE, "key-none");
  if (keys.some((other) => other !== key)) return outcome(BAD, "key-two");
  const found = await sha256(bytesOf(key));
  if (fingerprint === "") return outcome(IMPOSSIBLE, "key-not-given", { found });
  return found === fingerprint ? outcome(GOOD, "key-good", { found }) : outcome(BAD, "key-other", { found });
}

async function checkSignatures(lines, key, can) {
  const due = dueSignatures(lines);
  for (const [at, line] of lines.entries()) {
    const seq = line.told.seq;
    if (due[at] && line.signature === null) return outcome(BAD, "signature-removed", { seq });
    if (!due[at] && line.signature !== null) return outcome(BAD, "signature-added", { seq });
  }
  if (key === null) return outcome(IMPOSSIBLE, "signature-no-key");
  if (!can.signatures) return outcome(IMPOSSIBLE, "signature-no-browser");
  const signed = lines.filter(({ signature }) => signature !== null);
  if (signed.length === 0) return outcome(BAD, "signature-none");
  let imported;
  try {
    imported = await importedKey(key);
  } catch {
    return outcome(BAD, "signature-bad-key");
  }
  for (const line of signed) {
    const text = encoded(`${["tablectl", "record", line.told.seq, line.hash].join(" ")}\n`);
    if (!(await isSigned(imported, text, line.signature))) return outcome(BAD, "signature-bad", { seq: line.told.seq });
  }
  return outcome(GOOD, "signature-good", { count: signed.length });
}

async function checkReveals(lines) {
  let committed = new Map();
  let shown = 0;
  for (const { told } of lines) {
    if (typeof told.fact.card === "string" && Number.isInteger(told.fact.draw)) committed.set(told.fact.draw, told.fact.card);
    for (const reveal of told.reveals ?? []) {
      const opened = isHex(reveal?.salt, 32) ? await sha256(bytesOf(reveal.salt), encoded(String(reveal.card))) : "";
      if (opened !== committed.get(reveal?.draw)) return outcome(BAD, "reveal-other", { seq: told.seq, draw: reveal?.draw });
      shown += 1;
    }
    if (closesHand(told)) committed = new Map();
  }
  return outcome(GOOD, "reveal-good", { count: shown });
}

function checkEnd(lines) {
  const signed = lines.findLastIndex(({ signature }) => signature !== null);
  const last = lines.at(-1).told.seq;
  if (signed < lines.length - 1) return outcome(OPEN, "end-open", { first: lines[signed + 1].told.seq, last });
  const opened = lines.findLastIndex(({ told }) => opensHand(told));
  const closed = lines.findLastIndex(({ told }) => closesHand(told));
  return closed < opened ? outcome(OPEN, "end-in-hand", { last }) : outcome(GOOD, "end-signed", { last });
}

function checkLast(lines, lastSeq, lastHash) {
  const { told, hash } = lines.at(-1);
  if (lastSeq !== null && told.seq < lastSeq) return outcome(BAD, "last-dropped", { last: told.seq, due: lastSeq });
  if (lastSeq !== null && told.seq > lastSeq) return outcome(BAD, "last-appended", { last: told.seq, due: lastSeq });
  if (lastHash !== "" && hash !== lastHash) return outcome(BAD, "last-other", { last: told.seq, hash });
  if (lastSeq === null || lastHash === "") return outcome(IMPOSSIBLE, "last-not-given", { last: told.seq, hash });
  return outcome(GOOD, "last-good", { last: told.seq, hash });
}

// The summary beside the records says the same as they do; it proves nothing, but a difference shows that one of both
// was exchanged.
function checkSummary(lines, about) {
  if (about === null) return outcome(IMPOSSIBLE, "summary-none");
  const last = lines.at(-1);
  const signed = lines.findLast(({ signature }) => signature !== null);
  const said = {
    first_seq: lines[0].told.seq,
    last_seq: last.told.seq,
    hash_last: last.hash,
    last_signed_seq: signed === undefined ? null : signed.told.seq,
    closed: closesHand(last.told),
  };
  const other = Object.keys(said).find((member) => about[member] !== said[member]);
  return other === undefined ? outcome(GOOD, "summary-good") : outcome(BAD, "summary-other", { member: other });
}

function isDemo(lines, about) {
  return about?.demo === true || lines.some(({ told }) => told.keys?.demo === true);
}

// What a person typed, as it is compared: digits and letters alone, and null for a number that he did not give.
function asGiven(given) {
  const digits = (text) => (text ?? "").toLowerCase().replace(/[\s:-]/g, "");
  const number = (given.lastSeq ?? "").toString().trim();
  return {
    fingerprint: digits(given.fingerprint),
    lastSeq: number === "" ? null : /^[0-9]+$/.test(number) ? Number(number) : NaN,
    lastHash: digits(given.lastHash),
    key: given.key ?? null,
    about: given.about ?? null,
  };
}

// A field that holds what can be no fingerprint, number or hash is no comparison with it.
function badField(given) {
  if (given.fingerprint !== "" && !isHex(given.fingerprint, 64)) return "field-fingerprint";
  if (Number.isNaN(given.lastSeq)) return "field-number";
  return given.lastHash !== "" && !isHex(given.lastHash, 64) ? "field-hash" : null;
}

// All checks of the bytes of `records.jsonl`. `given`: what the person was given separately (`fingerprint`, `lastSeq`,
// `lastHash`; empty where nothing was) and what lies beside the records (`key`, hexadecimal; `about`, the summary).
async function checkRecords(bytes, given, can) {
  const { lines, bad } = readLines(bytes);
  const wanted = asGiven(given);
  const keys = lines.length === 0 ? [] : namedKeys(lines, wanted);
  const key = keys.find((named) => isHex(named, 64)) ?? null;
  const checks = { chain: can.hashes ? await checkChain(lines, bad, wanted.about) : outcome(IMPOSSIBLE, "no-hashes") };
  const field = badField(wanted);
  if (field !== null) checks.fields = outcome(BAD, field);
  if (lines.length > 0 && bad === null && can.hashes) {
    checks.begin = checkBeginning(lines);
    checks.key = await checkKey(key, keys, wanted.fingerprint);
    checks.signatures = await checkSignatures(lines, key, can);
    checks.reveals = await checkReveals(lines);
    checks.end = checkEnd(lines);
    checks.last = field === null ? checkLast(lines, wanted.lastSeq, wanted.lastHash) : outcome(IMPOSSIBLE, "last-bad-field");
    checks.summary = checkSummary(lines, wanted.about);
    if (isDemo(lines, wanted.about)) checks.demo = outcome(BAD, "demo");
  }
  return { verdict: verdictOf(checks), checks, lines };
}

// The worst of all: one bad check is enough; an end that is open is no good one; what could not be checked is said. The
// summary proves nothing, so nothing is missing where it was not there.
function verdictOf(checks) {
  const states = Object.entries(checks)
    .filter(([name, check]) => name !== "summary" || check.state !== IMPOSSIBLE)
    .map(([, check]) => check.state);
  return [BAD, OPEN, IMPOSSIBLE].find((state) => states.includes(state)) ?? GOOD;
}
