// How the plugins speak to navlog's socket: never throws, never waits longer than LIMIT ms. `navlog install`
// writes it before the host's own part, into one file, and fills in the two constants.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { homedir } from "node:os";
import { randomUUID } from "node:crypto";

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

// The block the daemon gives, "" for nothing and for every kind of trouble.
function tell(payload) {
  return new Promise((resolve) => {
    let channel;
    let ended = false;
    const end = (text) => {
      ended = true;
      clearTimeout(timer);
      if (channel) channel.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => end(""), LIMIT);
    try {
      const id = randomUUID().replaceAll("-", "");
      const args = { host: HOST, id, payload, wait_ms: LIMIT - 50 };
      const line = JSON.stringify({ verb: "hook", trace: id, args });
      let said = "";
      channel = connect(socketPath(), () => channel.write(line + "\n"));
      channel.setEncoding("utf8");
      const lost = () => {
        if (!ended && !said) keep(payload); // after the time is over the daemon still finds it in its socket
        end("");
      };
      channel.on("error", lost);
      channel.on("close", lost);
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
