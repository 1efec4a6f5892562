// How the plugins speak to navlog's socket: never throws, never waits longer than LIMIT ms. `navlog install`
// writes it before the host's own part, into one file, and fills in the two constants.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { homedir } from "node:os";

const HOST = "";
const CLIENT = ""; // the hook client's command, filled in by `navlog install`
const LIMIT = 300;
const TEXT = 64 * 1024; // of an output

function socketPath() {
  const run = process.env.XDG_RUNTIME_DIR || "";
  if (run.startsWith("/")) return run + "/navlog/navlog.sock";
  const data = process.env.XDG_DATA_HOME || "";
  const base = data.startsWith("/") ? data : homedir() + "/.local/share";
  return (process.env.NAVLOG_HOME || base + "/navlog") + "/run/navlog.sock";
}

// Nobody heard it: the hook client keeps it in the spool, by itself, while the agent goes on.
function keep(payload) {
  try {
    if (!CLIENT) return;
    const child = spawn("/bin/sh", ["-c", CLIENT], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => {});
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
    child.unref();
  } catch {
    // then it is lost, and the agent is not
  }
}

// One question to the daemon: {result} or {error}, null for every kind of trouble; `lost` when nobody heard it.
function ask(verb, args, { id = randomId(), limit = LIMIT, lost = () => {} } = {}) {
  return new Promise((resolve) => {
    let channel;
    let ended = false;
    let said = "";
    const end = (answer) => {
      ended = true;
      clearTimeout(timer);
      if (channel) channel.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), limit);
    const gone = () => {
      if (!ended && !said) lost(); // after the time is over the daemon still finds it in its socket
      end(null);
    };
    try {
      const line = JSON.stringify({ verb, trace: id, args });
      channel = connect(socketPath(), () => channel.write(line + "\n"));
      channel.setEncoding("utf8");
      channel.on("error", gone);
      channel.on("close", gone);
      channel.on("data", (part) => {
        said += part;
        if (part.includes("\n")) end(answerOf(said));
      });
    } catch {
      end(null);
    }
  });
}

function randomId() {
  return randomUUID().replaceAll("-", "");
}

function answerOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

// What a hook is given, "" for nothing.
async function tell(payload) {
  const id = randomId();
  const args = { host: HOST, id, payload, wait_ms: LIMIT - 50 };
  const answer = await ask("hook", args, { id, lost: () => keep(payload) });
  try {
    return JSON.parse(answer.result.stdout || "{}").block || "";
  } catch {
    return "";
  }
}
