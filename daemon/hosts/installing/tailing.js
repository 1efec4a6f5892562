// A session's tail, measured by navlog: marks before what can be set aside, holes where that was done, reminders.
// Both hosts' plugins turn their messages into {id, role, parts} and put in what `seen` says. Whatever fails, the
// messages go out as they were last seen, or as they are.
const REDUCE = "ctx_reduce";
const CACHE = 5 * 60 * 1000; // ms after which a provider is taken to have forgotten what it was sent
const TAILS = 50; // sessions whose marks are remembered
const HEAD = 65600; // characters of an image: its size stands in its head
const REDUCE_S = 2000; // ms that the model waits for its own tool
const ABOUT =
  "Sets spent parts of this conversation aside for later: they leave the context at the next convenient point, and " +
  "can be read again when needed. Parts are named by the numbers that stand before them (§12§ is 12).";
const DROP = 'Which parts, e.g. "3-5,8"';
const REASON = "Why they are no longer needed, in a few words";
const UNSAID = "navlog did not answer; nothing was set aside. Go on with the work.";
const PLAIN = /^[ \t]*(?:§\d+§[ \t]?)+/gm;
const tails = new Map(); // session -> what is known of its tail

function tailOf(session, project) {
  const tail = tails.get(session) || {
    session, project, sent: new Map(), marks: new Map(), holes: new Map(), fresh: false, offered: true, window: 0,
  };
  tails.delete(session);
  tails.set(session, tail);
  if (tails.size > TAILS) tails.delete(tails.keys().next().value);
  return tail;
}

// Measures the tail as the host keeps it; afterwards `seen` knows its marks and holes.
async function measure(tail, messages, rewrites) {
  try {
    const until = Date.now() + LIMIT;
    const sums = new Map(messages.map((one) => [one.id, sumOf(one)]));
    const args = { ...standing(tail), rewrites: rewrites || tail.fresh };
    const changed = messages.filter((one) => tail.sent.get(one.id) !== sums.get(one.id));
    let found = await resultOf("tail.measure", { ...args, order: [...sums.keys()], messages: changed }, LIMIT);
    if (found && (found.missing || []).length) {
      found = await resultOf("tail.measure", { ...args, messages }, until - Date.now());
    }
    if (found) learn(tail, sums, found);
  } catch {
    // what was learnt before stays
  }
}

function standing(tail) {
  const { session, project, window } = tail;
  const reduce_tool = tail.offered ? REDUCE : "";
  return { session, host: HOST, project, window, reduce_tool, shows: true, removes: true };
}

function sumOf(message) {
  return createHash("sha1").update(JSON.stringify(message)).digest("base64");
}

async function resultOf(verb, args, limit) {
  const answer = limit > 0 ? await ask(verb, args, { limit }) : null;
  return (answer && answer.result) || null;
}

function learn(tail, sums, found) {
  const here = (block) => sums.has(block.slice(0, block.lastIndexOf("#")));
  tail.sent = sums;
  tail.fresh = false;
  for (const part of found.parts || []) {
    if (part.mark) tail.marks.set(part.block, part.mark);
  }
  for (const block of [...tail.marks.keys()].filter((one) => !here(one))) tail.marks.delete(block);
  tail.holes = new Map((found.dropped || []).map((one) => [one.block, one.placeholder]));
}

// The text of a block as the model sees it.
function seen(tail, block, text) {
  const hole = tail.holes.get(block);
  if (hole) return hole;
  return (tail.marks.get(block) || "") + text;
}

// What came from the model, without the marks it repeated at the beginning of lines; others' paragraphs stay.
function unmarked(tail, text) {
  const known = new Set([...tail.marks.values()].map((mark) => mark.trim()));
  const ours = (found) => found.match(/§\d+§/g).every((one) => known.has(one));
  return text.replace(PLAIN, (found) => (ours(found) ? "" : found));
}

// A tool's input without marks, in place. Gives the placeholder that a model copied into it, "" for none.
function cleaned(tail, input) {
  const holes = [...tail.holes.values()];
  let copied = "";
  const walk = (value, put) => {
    if (typeof value === "string") {
      copied = copied || holes.find((hole) => value.includes(hole)) || "";
      const plain = unmarked(tail, value);
      if (plain !== value) put(plain);
    } else if (value && typeof value === "object") {
      for (const key of Object.keys(value)) walk(value[key], (plain) => (value[key] = plain));
    }
  };
  walk(input, () => {});
  return copied;
}

function refusal(hole) {
  const what = `The input holds ${hole}, which only marks the place of what was set aside.`;
  return `${what} Read it again, then write out what it says.`;
}

// Beside a tool's result: what is to be said there, and at most once a message of its own, sent by `send`.
async function beside(tail, call, tool, send) {
  if (tool === REDUCE || !tail.sent.size) return "";
  const found = await resultOf("tail.measure", { ...standing(tail), result: call, tool, message: true }, LIMIT);
  if (found && found.message) void deliver(tail, found.message, send);
  return (found && found.reminder) || "";
}

// Says at once whether the send returned: a claim of which nobody knows it is free again after a while.
async function deliver(tail, { token, text }, send) {
  let failed = false;
  try {
    await send(text);
  } catch {
    failed = true;
  }
  await ask("tail.sent", { session: tail.session, token, project: tail.project, failed });
}

// The model's own tool.
async function reduce(session, project, { drop, reason }) {
  const args = { session, project, host: HOST, drop: String(drop || ""), reason: String(reason || "") };
  const answer = await ask("tail.reduce", args, { limit: REDUCE_S });
  if (answer && answer.error) return [answer.error.message, answer.error.hint].filter(Boolean).join(" ");
  return (answer && answer.result && answer.result.text) || UNSAID;
}
