// Passes what happens in pi to navlog, and puts in what comes back. `navlog uninstall pi` takes it away.
const SUMMARIES = ["compactionSummary", "branchSummary"];

function shortened(content) {
  if (!Array.isArray(content)) return [];
  return content
    .filter((one) => one && one.type === "text")
    .map((one) => ({ type: "text", text: String(one.text || "").slice(0, TEXT) }));
}

function sessionOf(ctx) {
  try {
    return ctx.sessionManager.getSessionId() || "";
  } catch {
    return "";
  }
}

function modelOf(ctx) {
  try {
    return ctx.model || {};
  } catch {
    return {};
  }
}

// pi's messages have no ids of their own: role and time, and a number where two have the same.
function named(messages) {
  const times = new Map();
  return messages.map((message) => {
    const name = `${message.role}:${message.timestamp}`;
    times.set(name, (times.get(name) || 0) + 1);
    return { id: times.get(name) > 1 ? `${name}:${times.get(name)}` : name, message };
  });
}

// A message as navlog counts it. A tool's result is one part, its images come behind it.
function counted({ id, message }) {
  const roles = { assistant: "assistant", toolResult: "user", user: "user", custom: "user" };
  const about = { id, role: roles[message.role] || "system", synthetic: message.role === "custom" };
  if (SUMMARIES.includes(message.role)) {
    return { ...about, summary: true, parts: [{ kind: "text", text: message.summary || "" }] };
  }
  if (message.role === "bashExecution") {
    return { ...about, parts: [{ kind: "text", text: `${message.command}\n${message.output || ""}` }] };
  }
  if (message.role !== "toolResult") return { ...about, parts: contentOf(message).map(pieceOf) };
  const { toolCallId, toolName } = message;
  const images = contentOf(message).filter((one) => one.type !== "text").map(pieceOf);
  const result = { kind: "result", call: toolCallId, tool: toolName, text: wordsOf(message) };
  return { ...about, parts: [result, ...images] };
}

function contentOf(message) {
  if (typeof message.content === "string") return [{ type: "text", text: message.content }];
  return Array.isArray(message.content) ? message.content : [];
}

function wordsOf(message) {
  return contentOf(message).filter((one) => one.type === "text").map((one) => one.text).join("\n");
}

function pieceOf(part) {
  if (part.type === "text") return { kind: "text", text: part.text || "" };
  if (part.type === "toolCall") return { kind: "call", call: part.id, tool: part.name, input: part.arguments };
  if (part.type === "thinking") return { kind: "reasoning" };
  if (part.type !== "image") return { kind: "other" };
  const data = String(part.data || "").slice(0, HEAD);
  return { kind: "file", mime: part.mimeType, text: `data:${part.mimeType};base64,${data}` };
}

// The message as the model sees it.
function shown(tail, { id, message }) {
  if (!["user", "assistant", "toolResult"].includes(message.role)) return message;
  const whole = message.role === "toolResult" && tail.holes.get(`${id}#0`);
  if (whole) return { ...message, content: [{ type: "text", text: whole }] };
  return { ...message, content: contentOf(message).map(placed(tail, id, message.role === "toolResult")) };
}

// Each part at the place it was counted at; of a result the first text has the mark.
function placed(tail, id, result) {
  let place = result ? 1 : 0;
  let marked = false;
  return (part) => {
    if (result && part.type === "text") {
      const text = marked ? part.text : seen(tail, `${id}#0`, part.text);
      marked = true;
      return { ...part, text };
    }
    const block = `${id}#${place++}`;
    if (part.type === "text") return { ...part, text: seen(tail, block, part.text) };
    const hole = part.type === "image" && tail.holes.get(block);
    return hole ? { type: "text", text: hole } : part;
  };
}

// Whether the provider keeps nothing of this request: it is another one now, or it was idle for too long.
function isNew(messages, model) {
  const last = messages.findLast((one) => one.role === "assistant");
  if (!last) return true;
  const other = model.id && (last.model !== model.id || last.provider !== model.provider);
  return Boolean(other) || Date.now() - last.timestamp > CACHE;
}

// What the model said without the marks it repeated; undefined where there are none.
function plain(tail, message) {
  const own = (one) => (one.type === "text" ? { ...one, text: unmarked(tail, one.text) } : one);
  const content = contentOf(message).map(own);
  const same = contentOf(message).every((one, place) => one.text === content[place].text);
  return same ? undefined : { message: { ...message, content } };
}

export default function (pi) {
  let first = ""; // what the session is given at its start: it goes in with the first prompt
  let own = randomUUID(); // a session that has no name of its own
  const here = (ctx) => sessionOf(ctx) || own;
  const cwdOf = (ctx) => (ctx && ctx.cwd) || process.cwd();
  const say = async (event, ctx, fields) => {
    return tell({ type: event.type, cwd: cwdOf(ctx), session: here(ctx), ...fields });
  };
  const tailHere = (ctx) => tailOf(here(ctx), cwdOf(ctx));
  const message = (content) => ({ customType: "navlog", content, display: false });
  const steer = (text) => pi.sendMessage(message(text), { deliverAs: "steer" });

  try {
    pi.registerTool({
      name: REDUCE,
      label: "Set aside",
      description: ABOUT,
      parameters: {
        type: "object",
        properties: { drop: { type: "string", description: DROP }, reason: { type: "string", description: REASON } },
        required: ["drop"],
      },
      execute: async (_call, params, _signal, _update, ctx) => {
        const text = await reduce(here(ctx), cwdOf(ctx), params || {});
        return { content: [{ type: "text", text }], details: {} };
      },
    });
  } catch {
    // a pi without tools of extensions: then there is no reminder either
  }
  const isOffered = () => {
    try {
      return pi.getActiveTools().includes(REDUCE);
    } catch {
      return false;
    }
  };

  const measured = async (messages, ctx) => {
    const tail = tailHere(ctx);
    const all = named(messages);
    const model = modelOf(ctx);
    tail.window = model.contextWindow || 0;
    tail.offered = isOffered();
    await measure(tail, all.map(counted), isNew(messages, model));
    return all.map((one) => shown(tail, one));
  };

  pi.on("session_start", async (event, ctx) => {
    own = randomUUID();
    first = await say(event, ctx, { reason: event.reason });
  });
  pi.on("before_agent_start", async (event, ctx) => {
    const block = await say(event, ctx, { prompt: event.prompt });
    const text = [first, block].filter(Boolean).join("\n");
    first = "";
    return text ? { message: message(text) } : undefined;
  });
  pi.on("context", async (event, ctx) => {
    try {
      return { messages: await measured(event.messages, ctx) };
    } catch {
      return undefined; // then they go out as they are
    }
  });
  pi.on("message_end", async (event, ctx) => {
    if (event.message && event.message.role === "assistant") return plain(tailHere(ctx), event.message);
  });
  pi.on("tool_call", async (event, ctx) => {
    const hole = cleaned(tailHere(ctx), event.input);
    await say(event, ctx, { toolName: event.toolName, toolCallId: event.toolCallId, input: event.input });
    if (hole) return { block: true, reason: refusal(hole) };
  });
  pi.on("tool_result", async (event, ctx) => {
    const content = shortened(event.content);
    const { toolName, toolCallId, input, isError } = event;
    const [block, reminder] = await Promise.all([
      say(event, ctx, { toolName, toolCallId, input, isError, content }),
      beside(tailHere(ctx), toolCallId, toolName, steer),
    ]);
    const texts = [block, reminder].filter(Boolean).map((text) => ({ type: "text", text }));
    if (texts.length) return { content: [...(event.content || []), ...texts] };
  });
  pi.on("agent_end", async (event, ctx) => {
    const last = (event.messages || []).filter((one) => one && one.role === "assistant").slice(-1);
    await say(event, ctx, { messages: last.map((one) => ({ role: one.role, content: shortened(one.content) })) });
  });
  pi.on("session_before_compact", async (event, ctx) => {
    await say(event, ctx, {});
  });
  pi.on("session_compact", async (event, ctx) => {
    tailHere(ctx).fresh = true;
    await say(event, ctx, { compactionEntry: { summary: (event.compactionEntry || {}).summary } });
    first = await tell({ type: "session_start", reason: "compact", cwd: ctx.cwd, session: here(ctx) });
  });
  pi.on("session_shutdown", async (event, ctx) => {
    await say(event, ctx, { reason: event.reason });
  });
}
