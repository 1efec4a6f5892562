// Runs a plugin as its host would: node driving.mjs PLUGIN < {"host", "folder", "client", "steps"}; prints what came.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { host, folder, client: wanted, steps } = JSON.parse(readFileSync(0, "utf8"));
const plugin = await import(pathToFileURL(process.argv[2]).href);
const sent = [];

function send(how) {
  sent.push(how);
  if (wanted.fails === "throws") throw new Error("no");
  return wanted.fails === "refuses" ? { error: { name: "no" } } : { data: undefined };
}

async function opencode() {
  const client = {
    session: { promptAsync: async (how) => send(how) },
    app: { agents: async () => ({ data: wanted.agents }) },
  };
  const hooks = await plugin.Navlog({ directory: folder, client });
  return async ({ hook, input, output, tool }) => {
    if (tool) return { result: await hooks.tool[tool].execute(input, { sessionID: "s" }) };
    await hooks[hook](input, output);
    return { output };
  };
}

async function pi() {
  const handlers = new Map();
  const tools = new Map();
  plugin.default({
    on: (name, handler) => handlers.set(name, handler),
    registerTool: (tool) => tools.set(tool.name, tool),
    getActiveTools: () => wanted.active || [...tools.keys()],
    sendMessage: (message, how) => send({ message, how }),
  });
  const ctx = { cwd: folder, sessionManager: { getSessionId: () => "s" }, model: wanted.model };
  return async ({ event, tool, input }) => {
    if (tool) return { result: await tools.get(tool).execute("c", input, undefined, undefined, ctx) };
    const result = await handlers.get(event.type)(event, ctx);
    return { result, event };
  };
}

const run = await (host === "pi" ? pi() : opencode());
const came = [];
for (const step of steps) {
  try {
    came.push(await run(step));
  } catch (fault) {
    came.push({ thrown: fault.message });
  }
  await new Promise((resolve) => setTimeout(resolve, step.rest || 0));
}
process.stdout.write(JSON.stringify({ came, sent }), () => process.exit(0));
