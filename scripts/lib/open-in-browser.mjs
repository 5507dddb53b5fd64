import { spawn } from "node:child_process";

/** Shows the page in the person's browser when OPEN_BROWSER=1. That it cannot be shown is no failure. */
export function openInBrowser(url) {
  if (process.env.OPEN_BROWSER !== "1") return;
  const commands = { darwin: ["open", url], win32: ["explorer", url] };
  const [command, ...args] = commands[process.platform] ?? ["xdg-open", url];
  spawn(command, args, { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
