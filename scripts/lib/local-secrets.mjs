import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { inRoot } from "./toolchain.mjs";

/** Lists the secrets. Each holds 32 random bytes in base64. In production they are secrets of the worker. */
const NAMES = ["PASSWORD_PEPPER_1", "DATA_KEK_1", "FORM_KEY_1", "LOG_HMAC_KEY", "MAIL_WEBHOOK_SECRET"];

const path = inRoot(".dev.vars");

/**
 * Makes sure that this checkout has its secrets, in the ignored file where the local runtime looks for them. Keys that
 * are there stay as they are, since stored passwords and sealed values depend on them.
 */
export function ensureLocalSecrets() {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const present = localSecrets();
  const missing = NAMES.filter((name) => !present[name]);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `${name}="${randomBytes(32).toString("base64")}"\n`);
  writeFileSync(path, text + (text && !text.endsWith("\n") ? "\n" : "") + lines.join(""), { mode: 0o600 });
  chmodSync(path, 0o600);
}

export function localSecrets() {
  if (!existsSync(path)) return {};
  const pairs = readFileSync(path, "utf8").matchAll(/^\s*([A-Z0-9_]+)\s*=\s*"?([^"\n]*)"?\s*$/gm);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
}
