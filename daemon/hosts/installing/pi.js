// Passes what happens in pi to navlog, and puts in what comes back. `navlog uninstall pi` takes it away.

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

export default function (pi) {
  let first = ""; // what the session is given at its start: it goes in with the first prompt
  let own = randomUUID(); // a session that has no name of its own
  const say = async (event, ctx, fields) => {
    const session = sessionOf(ctx) || own;
    return tell({ type: event.type, cwd: (ctx && ctx.cwd) || process.cwd(), session, ...fields });
  };
  const message = (content) => ({ message: { customType: "navlog", content, display: false } });

  pi.on("session_start", async (event, ctx) => {
    own = randomUUID();
    first = await say(event, ctx, { reason: event.reason });
  });
  pi.on("before_agent_start", async (event, ctx) => {
    const block = await say(event, ctx, { prompt: event.prompt });
    const text = [first, block].filter(Boolean).join("\n");
    first = "";
    return text ? message(text) : undefined;
  });
  pi.on("tool_call", async (event, ctx) => {
    await say(event, ctx, { toolName: event.toolName, toolCallId: event.toolCallId, input: event.input });
  });
  pi.on("tool_result", async (event, ctx) => {
    const content = shortened(event.content);
    const { toolName, toolCallId, input, isError } = event;
    const block = await say(event, ctx, { toolName, toolCallId, input, isError, content });
    if (block) return { content: [...(event.content || []), { type: "text", text: block }] };
  });
  pi.on("agent_end", async (event, ctx) => {
    const last = (event.messages || []).filter((one) => one && one.role === "assistant").slice(-1);
    await say(event, ctx, { messages: last.map((one) => ({ role: one.role, content: shortened(one.content) })) });
  });
  pi.on("session_before_compact", async (event, ctx) => {
    await say(event, ctx, {});
  });
  pi.on("session_compact", async (event, ctx) => {
    await say(event, ctx, { compactionEntry: { summary: (event.compactionEntry || {}).summary } });
    first = await tell({ type: "session_start", reason: "compact", cwd: ctx.cwd, session: sessionOf(ctx) || own });
  });
  pi.on("session_shutdown", async (event, ctx) => {
    await say(event, ctx, { reason: event.reason });
  });
}
