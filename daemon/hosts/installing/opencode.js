// Passes what happens in OpenCode to navlog, and puts in what comes back. `navlog uninstall opencode` takes it away.
const KEPT = 200; // sessions and messages whose block is remembered

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
