// Passes what happens in pi to navlog's socket, and puts in what comes back. Never throws, never waits longer
// than LIMIT ms. `navlog uninstall pi` takes it away.
import { connect } from "node:net";
import { homedir } from "node:os";
import { randomUUID } from "node:crypto";

const LIMIT = 300;
const TEXT = 64 * 1024; // of an output

function socketPath() {
  const run = process.env.XDG_RUNTIME_DIR || "";
  if (run.startsWith("/")) return run + "/navlog/navlog.sock";
  const data = process.env.XDG_DATA_HOME || "";
  const base = data.startsWith("/") ? data : homedir() + "/.local/share";
  return (process.env.NAVLOG_HOME || base + "/navlog") + "/run/navlog.sock";
}

// The block the daemon gives, "" for nothing and for every kind of trouble.
function tell(payload) {
  return new Promise((resolve) => {
    let channel;
    const end = (text) => {
      clearTimeout(timer);
      if (channel) channel.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => end(""), LIMIT);
    try {
      const id = randomUUID().replaceAll("-", "");
      const args = { host: "pi", id, payload, wait_ms: LIMIT - 50 };
      const line = JSON.stringify({ verb: "hook", trace: id, args });
      let said = "";
      channel = connect(socketPath(), () => channel.write(line + "\n"));
      channel.setEncoding("utf8");
      channel.on("error", () => end(""));
      channel.on("close", () => end(""));
      channel.on("data", (part) => {
        said += part;
        if (said.includes("\n")) end(blockOf(said));
      });
    } catch {
      end("");
    }
  });
}

function blockOf(line) {
  try {
    return JSON.parse(JSON.parse(line).result.stdout || "{}").block || "";
  } catch {
    return "";
  }
}

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
