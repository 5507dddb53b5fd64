import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

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

function call(program: string, args: string[], variables = {}): Promise<{ code: number; output: string }> {
  const { WRENFIELD_IS_BUILT, ...inherited } = process.env;
  const quiet = { CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };
  const settled = { ...quiet, WRANGLER_LOG: "log", CLOUDFLARE_API_TOKEN: "none" };
  const env = { ...inherited, ...settled, ...variables };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(checkout, program), ...args],
      { cwd: checkout, env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test("wrangler deploy by hand is denied placeholders in one sentence, and adds only that nothing was built", async () => {
  const { code, output } = await wrangler("deploy");
  expect(code).toBe(1);
  const sentences = output.split("\n").filter((line) => line.includes("wrangler.toml is not ready for production: "));
  expect(sentences).toHaveLength(1);
  expect(sentences[0]).toContain("database_id is a placeholder");
  const [, after = ""] = stripVTControlCharacters(output).split("sets what is missing.\n");
  const words = after.replace(/\[custom build\]|"\/[^"]*"|[^\w\s"./-]/g, " ").split(/\s+/);
  expect(words.filter(Boolean).join(" ")).toBe(
    'ERROR The expected output file at "build/worker.js" was not found after running custom build node ' +
      "scripts/build-for-wrangler.mjs. The main property in your wrangler.toml file should point to the file generated " +
      "by the custom build. Logs were written to",
  );
});

test("wrangler deploy --dry-run by hand builds, whatever the settings are", async () => {
  const { code, output } = await wrangler("deploy", "--dry-run");
  expect(output).not.toContain("not ready for production");
  // There is no application in this checkout.
  expect(output).toContain('Could not resolve "app/');
  expect(code).toBe(1);
});

test("npm run deploy -- --first names every flag that is missing", async () => {
  const { code, output } = await call("scripts/deploy.mjs", ["--first"]);
  expect(code).toBe(1);
  expect(output).toMatch(/Nobody can be asked here.*\n {2}--origin [\s\S]*\n {2}--mail-provider /);
  expect(output).not.toMatch(/^\s+at /m);
});

test.each([
  [["--dry-run"], ["note a bookmark", "migrate", "deploy the worker", "wait until the site answers"]],
  [
    ["--dry-run", "--first", "--env", "staging"],
    ["signed in", "domain", "write name, address", "D1", "KV", "R2", "lock", "keys", "mail domain", "note a bookmark"],
  ],
])("npm run deploy -- %j says what would be done, asks nothing, and leaves the settings alone", async (args, steps) => {
  const settings = path.join(checkout, "wrangler.toml");
  const before = readFileSync(settings, "utf8");
  const { output } = await call("scripts/deploy.mjs", args, { CLOUDFLARE_API_TOKEN: "" });
  const said = output.split("\n").filter((line) => /^ {2}\d+\. /.test(line));
  for (const [index, words] of steps.entries()) expect(said[index]).toContain(words);
  expect(output.includes("of staging")).toBe(args.includes("staging"));
  expect(output.includes("not ready for production")).toBe(!args.includes("--first"));
  expect(output).not.toMatch(/Nobody can be asked|signed in to Cloudflare:|cannot be reached/);
  // What it does do is to build, and there is no application in this checkout.
  expect(output).toContain('Could not resolve "app/');
  expect(readFileSync(settings, "utf8")).toBe(before);
});

test.each([
  ["scripts/deploy.mjs", []],
  ["scripts/setup-code.mjs", ["--remote"]],
  ["scripts/restore-bookmark.mjs", ["00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683"]],
])("%s is denied what wrangler.toml lacks, of the environment that CLOUDFLARE_ENV names", async (program, args) => {
  const { code, output } = await call(program, args, { CLOUDFLARE_ENV: "staging" });
  expect(output).toContain("There is no [env.staging] in it");
  expect(code).toBe(1);
});

const IN_THE_WAY = "Another command of this checkout deploys or restores at this moment.";

/** Starts a process that holds the lock of deployments until it is killed, if it gets it. */
async function holder() {
  const script = `import { alone } from ${JSON.stringify(path.join(checkout, "scripts/lib/locks.mjs"))};
    await alone(async () => { console.log("held"); await new Promise((resolve) => setTimeout(resolve, 60_000)); })
      .catch((error) => console.log(error.message));`;
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", script]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  const end = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { said: String(said).trim(), end };
}

test("while one command of a checkout deploys, another deployment and a restore are refused", async () => {
  const { said, end } = await holder();
  expect(said).toBe("held");
  for (const program of ["scripts/deploy.mjs", "scripts/restore-bookmark.mjs"]) {
    const { code, output } = await call(program, []);
    expect(output).toContain(IN_THE_WAY);
    expect(code).toBe(1);
  }
  await end();
});

test("of several at once that find the lock of a killed command, exactly one gets it", async () => {
  await (await holder()).end();
  const said = await Promise.all(Array.from({ length: 6 }, async () => (await holder()).said));
  expect(said.filter((words) => words === "held")).toHaveLength(1);
  expect(said.filter((words) => words.startsWith(IN_THE_WAY))).toHaveLength(5);
});
