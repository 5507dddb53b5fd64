/*
 * npm run mail -- file.eml [--to address] [--from address]
 *
 * Hands a mail to the local server as the platform would, and prints what became of it. `-` reads the mail from
 * standard input, so that a mail server can pipe to it (docs/mail.md). Sender and recipient are those of the envelope;
 * without them the ones in the headers. PORT: where the server listens.
 *
 * Exit codes are those a mail server knows: 0 taken, 69 refused for good, 75 try again later.
 */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { DEFAULT_PORT } from "./lib/local-server.mjs";

const REFUSED = 69;
const TRY_AGAIN = 75;

const options = { to: { type: "string" }, from: { type: "string" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [file] = positionals;
if (!file) {
  console.error("Name the file of a mail: npm run mail -- file.eml");
  process.exit(1);
}
try {
  const raw = file === "-" ? await buffer(process.stdin) : await readFile(file);
  const [headers] = raw.toString("latin1").split(/\r?\n\r?\n/);
  const addressIn = (name) => {
    const line = new RegExp(`^${name}:(.*)$`, "im").exec(headers)?.[1] ?? "";
    return /<([^<>\s]+)>/.exec(line)?.[1] ?? /[^\s,<>]+@[^\s,<>]+/.exec(line)?.[0] ?? "";
  };
  const address = new URL(`http://localhost:${process.env.PORT ?? DEFAULT_PORT}/cdn-cgi/handler/email`);
  address.searchParams.set("from", values.from ?? addressIn("From"));
  address.searchParams.set("to", values.to ?? addressIn("To"));
  address.searchParams.set("format", "json");
  const response = await fetch(address, { method: "POST", body: raw });
  const answer = await response.text();
  const { rejectReason } = response.ok ? JSON.parse(answer) : {};
  console.log(rejectReason ?? (response.ok ? "Taken" : `${response.status} ${answer}`));
  if (rejectReason || response.status === 400) process.exitCode = REFUSED;
  else if (!response.ok) process.exitCode = TRY_AGAIN;
} catch (error) {
  console.error(error.message);
  process.exitCode = TRY_AGAIN;
}
