// Times OpenCode's plugin: node tailing.mjs PLUGIN FOLDER SESSION PARTS TOKENS REQUESTS; the first request is cold.
import { pathToFileURL } from "node:url";

const [plugin, directory, session, parts, tokens, requests] = process.argv.slice(2);
const { Navlog } = await import(pathToFileURL(plugin).href);
const client = { app: { agents: async () => ({ data: [] }) }, session: { promptAsync: async () => ({}) } };
const hooks = await Navlog({ directory, client });
const text = "the ledger keeps its sum of day ".repeat(Math.ceil(((tokens / parts) * 2) / 9)); // of a call with its result
const now = Date.now();

function message(number) {
  const input = { command: `run ${number}` };
  const state = { status: "completed", input, output: `${number} ${text}`, time: {} };
  const info = { id: `a${number}`, role: "assistant", sessionID: session, providerID: "p", modelID: "m" };
  const part = { type: "tool", callID: `c${number}`, tool: "bash", state };
  return { info: { ...info, time: { created: now, completed: now } }, parts: [part] };
}

const asked = { id: "u", role: "user", sessionID: session, agent: "build", time: { created: now } };
const first = { info: asked, parts: [{ type: "text", text: "Go on" }] };
const took = [];
const cpu = [];
let marked = 0;
for (let more = 0; more <= Number(requests); more++) {
  const arcs = Array.from({ length: parts / 2 + more }, (_, number) => message(number));
  const messages = [structuredClone(first), ...arcs];
  const [began, before] = [performance.now(), process.cpuUsage()];
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  took.push(performance.now() - began);
  const { user, system } = process.cpuUsage(before);
  cpu.push((user + system) / 1000);
  marked = messages.filter((one) => one.parts[0].state?.output.startsWith("§")).length;
}
console.log(JSON.stringify({ took, cpu, marked }));
process.exit(0);
