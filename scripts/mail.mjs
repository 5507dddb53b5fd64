/*
 * npm run mail -- file.eml [--to address] [--from address]
 *
 * Hands a mail to the local server as the platform would, and prints what it answered. Sender and recipient are those
 * of the envelope; without them the ones in the headers. PORT: where the server listens.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { DEFAULT_PORT } from "./lib/local-server.mjs";

try {
  const options = { to: { type: "string" }, from: { type: "string" } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (!file) throw new Error("Name the file of a mail: npm run mail -- file.eml");
  const raw = await readFile(file);
  const [headers] = raw.toString("latin1").split(/\r?\n\r?\n/);
  const addressIn = (name) => {
    const line = new RegExp(`^${name}:(.*)$`, "im").exec(headers)?.[1] ?? "";
    return /<([^<>\s]+)>/.exec(line)?.[1] ?? /[^\s,<>]+@[^\s,<>]+/.exec(line)?.[0] ?? "";
  };
  const address = new URL(`http://localhost:${process.env.PORT ?? DEFAULT_PORT}/cdn-cgi/handler/email`);
  address.searchParams.set("from", values.from ?? addressIn("From"));
  address.searchParams.set("to", values.to ?? addressIn("To"));
  const response = await fetch(address, { method: "POST", body: raw });
  console.log(`${response.status} ${await response.text()}`);
  if (!response.ok) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
