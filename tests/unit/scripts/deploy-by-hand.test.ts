import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

/** Catches what hangs: several programs are started, one by the other. */
const TIMEOUT = 180_000;

/**
 * Creates a checkout without a build and without the application: what wrangler does before it bundles needs neither.
 */
let checkout: string;

beforeAll(() => {
  checkout = mkdtempSync(path.join(tmpdir(), "wrenfield-checkout-"));
  for (const name of ["wrangler.toml", "package.json", "remix.config.js", "scripts"]) {
    cpSync(path.join(root, name), path.join(checkout, name), { recursive: true });
  }
  symlinkSync(path.join(root, "node_modules"), path.join(checkout, "node_modules"));
});

afterAll(() => rmSync(checkout, { recursive: true, force: true }));

/** Calls wrangler as a person does, without what our own commands tell it. Returns its exit code and output. */
const wrangler = (...args: string[]) => call("node_modules/wrangler/bin/wrangler.js", args);

function call(program: string, args: string[]): Promise<{ code: number; output: string }> {
  const { WRENFIELD_IS_BUILT, ...inherited } = process.env;
  const env = { ...inherited, CI: "1", NO_COLOR: "1", WRANGLER_LOG: "log", CLOUDFLARE_API_TOKEN: "none" };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(checkout, program), ...args],
      { cwd: checkout, env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test(
  "wrangler deploy by hand is denied placeholders in one sentence, without a stack trace",
  async () => {
    const { code, output } = await wrangler("deploy");
    expect(code).toBe(1);
    const sentences = output.split("\n").filter((line) => line.includes("wrangler.toml is not ready for production: "));
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain("database_id is a placeholder");
    expect(output).not.toMatch(/^\s+at /m);
  },
  TIMEOUT,
);

test(
  "wrangler deploy --dry-run by hand builds, whatever the settings are",
  async () => {
    const { code, output } = await wrangler("deploy", "--dry-run");
    expect(output).not.toContain("not ready for production");
    // There is no application in this checkout.
    expect(output).toContain('Could not resolve "app/');
    expect(code).toBe(1);
  },
  TIMEOUT,
);

test(
  "npm run deploy is denied the same placeholders, and a first one names every flag that is missing",
  async () => {
    const denied = await call("scripts/deploy.mjs", []);
    expect(denied.code).toBe(1);
    expect(denied.output).toContain("wrangler.toml is not ready for production: ");
    const first = await call("scripts/deploy.mjs", ["--first"]);
    expect(first.code).toBe(1);
    expect(first.output).toMatch(/Nobody can be asked here.*\n {2}--origin [\s\S]*\n {2}--mail-provider /);
    expect(first.output).not.toMatch(/^\s+at /m);
  },
  TIMEOUT,
);
