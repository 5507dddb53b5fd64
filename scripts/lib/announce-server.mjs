import { fireScheduledEvents } from "./local-server.mjs";
import { openInBrowser } from "./open-in-browser.mjs";

/** Says where a server that answers is, opens it in a browser, runs its schedule, and ends this command with it. */
export async function announceServer({ port, server, shutDown }) {
  server.once("exit", (code) => shutDown(code ?? 1));
  await fireScheduledEvents(port);
  const address = `http://localhost:${port}`;
  console.log(`Ready: ${address}`);
  openInBrowser(address);
}
