// Passes what happens in OpenCode to navlog, and puts in what comes back. `navlog uninstall opencode` takes it away.
const KEPT = 200; // sessions and messages whose block is remembered
const ASIDE = ["text/plain", "application/x-directory"]; // files that OpenCode has written out as text already

function remember(map, key, block) {
  map.set(key, block);
  if (map.size > KEPT) map.delete(map.keys().next().value);
}

function short(value) {
  return typeof value === "string" && value.length > TEXT ? value.slice(0, TEXT) : value;
}

// A message's parts as navlog counts them, each at a place that it keeps: a tool has two, its call and its result.
function counted({ info, parts }) {
  return { id: info.id, role: info.role, summary: info.summary === true, parts: parts.flatMap(piecesOf) };
}

function piecesOf(part) {
  const { type, synthetic, ignored } = part;
  if (type === "text") return [{ kind: "text", text: part.text || "", synthetic: !!synthetic, ignored: !!ignored }];
  if (type === "tool") return arcOf(part);
  if (type === "reasoning") return [{ kind: "reasoning" }];
  if (type === "file" && !ASIDE.includes(part.mime)) {
    return [{ kind: "file", mime: part.mime || "", text: String(part.url || "").slice(0, HEAD) }];
  }
  return [{ kind: "other" }];
}

function arcOf({ callID, tool, state }) {
  const call = { kind: "call", call: callID, tool, input: state.input };
  const text = outputOf(state);
  return [call, text === null ? { kind: "other" } : { kind: "result", call: callID, tool, text }];
}

function outputOf(state) {
  if (state.status === "error") return String(state.error || "");
  if (state.status !== "completed") return null;
  return state.time && state.time.compacted ? "[Old tool result content cleared]" : String(state.output || "");
}

// The message as the model sees it. OpenCode's own parts are left as they are: it may keep them.
function shown(tail, message) {
  let place = 0;
  message.parts = message.parts.map((part) => {
    const block = `${message.info.id}#${place}`;
    place += part.type === "tool" ? 2 : 1;
    if (part.type === "text") return { ...part, text: seen(tail, block, part.text) };
    if (part.type === "tool") return shownTool(tail, `${message.info.id}#${place - 1}`, part);
    const hole = part.type === "file" && tail.holes.get(block);
    const { id, sessionID, messageID } = part;
    return hole ? { id, sessionID, messageID, type: "text", text: hole } : part;
  });
}

function shownTool(tail, block, part) {
  const text = outputOf(part.state);
  if (text === null) return part;
  const said = part.state.status === "error" ? "error" : "output";
  const state = { ...part.state, [said]: seen(tail, block, text) };
  if (tail.holes.has(block)) state.attachments = [];
  return { ...part, state };
}

// Whether the provider keeps nothing of this request: it is another one now, or it was idle for too long.
function isNew(messages) {
  const last = messages.findLast((one) => one.info.role === "assistant" && one.info.time.completed);
  const asked = (messages.findLast((one) => one.info.role === "user") || {}).info || {};
  if (!last) return true;
  const { providerID, modelID, time } = last.info;
  const other = asked.model && (asked.model.providerID !== providerID || asked.model.modelID !== modelID);
  return Boolean(other) || Date.now() - time.completed > CACHE;
}

// Whether an agent is offered the tool, by OpenCode's own rule: the last one that names it decides.
function isOffered(agents, name) {
  const rules = ((agents || []).find((one) => one.name === name) || {}).permission;
  if (!Array.isArray(rules)) return true;
  const last = rules.findLast((one) => one.permission === REDUCE || one.permission === "*");
  return !(last && last.pattern === "*" && last.action === "deny");
}

export const Navlog = async ({ directory, client }) => {
  const started = new Map(); // session -> what it is given at its start or after a compaction
  const prompted = new Map(); // message -> what its prompt is given
  const compacting = new Set(); // sessions whose next request is the compaction's own
  const children = new Set(); // sessions of subagents, in which no person speaks: theirs are left alone
  const asked = new Map(); // session -> the agent and the model that its last prompt asked for
  let agents = null;
  const say = (hook, input, output) => tell({ hook, cwd: directory, input, output });
  const tailHere = (session) => tailOf(session, directory);
  const agentsHere = async () => {
    const late = new Promise((resolve) => setTimeout(() => resolve({}), LIMIT / 2));
    agents = agents || (await Promise.race([client.app.agents().catch(() => ({})), late])).data || null;
    return agents;
  };
  const send = (session) => async (text) => {
    const parts = [{ type: "text", text, synthetic: true }];
    const sent = await client.session.promptAsync({ path: { id: session }, body: { ...asked.get(session), parts } });
    if (sent && sent.error) throw new Error("refused");
  };
  const measured = async (messages) => {
    const prompt = messages.findLast((one) => one.info.role === "user").info;
    if (children.has(prompt.sessionID)) return;
    const tail = tailHere(prompt.sessionID);
    remember(asked, prompt.sessionID, { agent: prompt.agent, model: prompt.model });
    const summing = compacting.delete(prompt.sessionID); // it gets no marks: its words stay in the session
    if (!summing) {
      if (!tail.sent.size) tail.offered = isOffered(await agentsHere(), prompt.agent);
      await measure(tail, messages.map(counted), isNew(messages));
    }
    for (const message of messages) shown(summing ? { ...tail, marks: new Map() } : tail, message);
  };
  return {
    tool: {
      [REDUCE]: {
        description: ABOUT,
        args: { drop: { type: "string", description: DROP }, reason: { type: "string", description: REASON } },
        execute: (args, context) => reduce(context.sessionID, directory, args || {}),
      },
    },
    event: async ({ event }) => {
      const about = (event && event.properties) || {};
      const info = about.info || {};
      const names = ["session.created", "session.idle", "session.compacted", "session.deleted"];
      if (!names.includes(event.type)) return;
      const session = about.sessionID || info.id || "";
      if (event.type === "session.compacted") tailHere(session).fresh = true;
      if (event.type === "session.created" && info.parentID) children.add(session);
      if (event.type === "session.deleted") children.delete(session);
      const properties = { sessionID: session, info: { id: info.id, parentID: info.parentID } };
      const block = await say("event", { type: event.type, properties });
      if (block && session) remember(started, session, block);
    },
    "chat.message": async (input, output) => {
      const parts = (output.parts || []).filter((one) => one.type === "text");
      const block = await say("chat.message", { sessionID: input.sessionID }, { parts });
      if (block && output.message) remember(prompted, output.message.id, block);
    },
    "chat.params": async (input) => {
      const limit = (input.model && input.model.limit) || {};
      tailHere(input.sessionID).window = limit.context || 0;
    },
    // The one place that may throw: it is how OpenCode is told not to run a tool.
    "tool.execute.before": async (input, output) => {
      const hole = cleaned(tailHere(input.sessionID), output.args);
      await say("tool.execute.before", input, { args: output.args });
      if (hole) throw new Error(refusal(hole));
    },
    "tool.execute.after": async (input, output) => {
      const came = { output: short(output.output), metadata: { exit: (output.metadata || {}).exit } };
      const place = typeof output.output === "string" ? input.callID : "";
      const [block, reminder] = await Promise.all([
        say("tool.execute.after", input, came),
        beside(tailHere(input.sessionID), place, input.tool, send(input.sessionID)),
      ]);
      if (place) output.output += (block ? "\n" + block : "") + reminder;
    },
    "experimental.text.complete": async (input, output) => {
      output.text = unmarked(tailHere(input.sessionID), output.text);
    },
    "experimental.session.compacting": async (input, output) => {
      compacting.add(input.sessionID);
      const block = await say("experimental.session.compacting", { sessionID: input.sessionID });
      if (block && Array.isArray(output.context)) output.context.push(block);
    },
    // What is sent is made anew for each request: what was given goes in again at the same place.
    "experimental.chat.messages.transform": async (_input, output) => {
      const messages = output.messages || [];
      try {
        await measured(messages);
      } catch {
        // then they go out as they are
      }
      const first = messages.find((one) => one.info && one.info.role === "user");
      for (const message of messages) {
        const info = message.info || {};
        const blocks = [prompted.get(info.id)];
        if (message === first) blocks.unshift(started.get(info.sessionID));
        for (const text of blocks.filter(Boolean)) {
          message.parts.push({
            id: "prt_navlog", sessionID: info.sessionID, messageID: info.id, type: "text", text, synthetic: true,
          });
        }
      }
    },
  };
};
