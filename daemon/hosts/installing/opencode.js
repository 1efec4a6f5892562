// Passes what happens in OpenCode to navlog's socket, and puts in what comes back. Never throws, never waits
// longer than LIMIT ms. `navlog uninstall opencode` takes it away.
import { connect } from "node:net";
import { homedir } from "node:os";
import { randomUUID } from "node:crypto";

const LIMIT = 300;
const TEXT = 64 * 1024; // of an output
const KEPT = 200; // sessions and messages whose block is remembered

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
      const args = { host: "opencode", id, payload, wait_ms: LIMIT - 50 };
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

function remember(map, key, block) {
  map.set(key, block);
  if (map.size > KEPT) map.delete(map.keys().next().value);
}

function short(value) {
  return typeof value === "string" && value.length > TEXT ? value.slice(0, TEXT) : value;
}

export const Navlog = async ({ directory }) => {
  const started = new Map(); // session -> what it is given at its start or after a compaction
  const prompted = new Map(); // message -> what its prompt is given
  const say = (hook, input, output) => tell({ hook, cwd: directory, input, output });
  return {
    event: async ({ event }) => {
      const about = (event && event.properties) || {};
      const info = about.info || {};
      const names = ["session.created", "session.idle", "session.compacted", "session.deleted"];
      if (!names.includes(event.type)) return;
      const session = about.sessionID || info.id || "";
      const properties = { sessionID: session, info: { id: info.id, parentID: info.parentID } };
      const block = await say("event", { type: event.type, properties });
      if (block && session) remember(started, session, block);
    },
    "chat.message": async (input, output) => {
      const parts = (output.parts || []).filter((one) => one.type === "text");
      const block = await say("chat.message", { sessionID: input.sessionID }, { parts });
      if (block && output.message) remember(prompted, output.message.id, block);
    },
    "tool.execute.before": async (input, output) => {
      await say("tool.execute.before", input, { args: output.args });
    },
    "tool.execute.after": async (input, output) => {
      const came = { output: short(output.output), metadata: { exit: (output.metadata || {}).exit } };
      const block = await say("tool.execute.after", input, came);
      if (block && typeof output.output === "string") output.output += "\n" + block;
    },
    "experimental.session.compacting": async (input, output) => {
      const block = await say("experimental.session.compacting", { sessionID: input.sessionID });
      if (block && Array.isArray(output.context)) output.context.push(block);
    },
    // What is sent is made anew for each request: what was given goes in again at the same place.
    "experimental.chat.messages.transform": async (_input, output) => {
      const first = (output.messages || []).find((one) => one.info && one.info.role === "user");
      for (const message of output.messages || []) {
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
