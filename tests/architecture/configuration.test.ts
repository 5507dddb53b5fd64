import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { newEnvironment } from "../../scripts/lib/edit-settings.mjs";
import { localVariables } from "../../scripts/lib/local-server.mjs";
import { productionSettings } from "../../scripts/lib/production-settings.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

const rules = read("app/platform/env.server.ts");

/** Returns the keys that stand, one a line, between a beginning and the first line with its end. */
function keysBetween(begin: string, end: string): string[] {
  const [, body = ""] = rules.split(begin);
  return [...(body.split(end)[0] ?? "").matchAll(/^ {2}([A-Z][A-Z0-9_]*)\??:/gm)].map(([, name = ""]) => name);
}

const checked = keysBetween("const Variables = z.object({", "\n});");
const bindings = keysBetween("export type Bindings = {", "\n}");

/** Lists what the application takes from its environment by itself, besides the bindings. */
const readDirectly = readdirSync(path.join(ROOT, "app"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => [...read(`app/${file}`).matchAll(/(?<!process\.)\benv\.([A-Z][A-Z0-9_]+)\b/g)])
  .flatMap(([, name = ""]) => (bindings.includes(name) ? [] : [name]));

const [, table = ""] = /^## Variables and secrets$([\s\S]*?)^## /m.exec(read("docs/deploying.md")) ?? [];
const rows = [...table.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \| (\w+) \|/gm)].map(([, name = "", kind]) => ({
  name,
  kind,
}));

test("every variable and secret that the code reads is described once, and none that it does not read", () => {
  expect(checked).toContain("APP_ORIGIN");
  expect(bindings).toContain("DB");
  const known = [...new Set([...checked, ...readDirectly])];
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
});

test("what is described as a secret is in no file of settings, and what is set there is described as a variable", () => {
  const [, vars = ""] = /^\[vars\]$([\s\S]*?)^\[/m.exec(read("wrangler.toml")) ?? [];
  const set = [...vars.matchAll(/^([A-Z][A-Z0-9_]*) =/gm)].map(([, name]) => name);
  expect(set).toContain("APP_ORIGIN");
  const variables = rows.filter(({ kind }) => kind === "variable").map(({ name }) => name);
  expect(set.filter((name) => !variables.includes(name ?? ""))).toEqual([]);
  const keys = [...rules.matchAll(/^ {2}([A-Z][A-Z0-9_]*): key\b/gm)].map(([, name]) => name);
  const secrets = rows.filter(({ kind }) => kind === "secret").map(({ name }) => name);
  expect(keys.filter((name) => !secrets.includes(name ?? ""))).toEqual([]);
});

test("requests, whose addresses hold tokens, are not logged by themselves, and what we log names our files and lines", async () => {
  const settings = await productionSettings("", path.join(ROOT, "wrangler.toml"));
  expect(settings.observability).toMatchObject({
    enabled: true,
    redact_query_string: true,
    logs: { invocation_logs: false },
  });
  expect(settings.upload_source_maps).toBe(true);
  // What an environment does not set of its own is that of the top of the file.
  const own = Object.keys(newEnvironment({ name: "wrenfield" }, "staging"));
  expect(own).toContain("vars");
  expect(own.filter((key) => ["observability", "upload_source_maps"].includes(key))).toEqual([]);
});

test("the domain of mails that come in is handed to a worker on this machine, and the README names it", () => {
  vi.stubEnv("MAIL_INBOUND_DOMAIN", "in.acme-it.net");
  expect(localVariables(8787)).toMatchObject({ MAIL_INBOUND_DOMAIN: "in.acme-it.net" });
  expect(/^`PORT`.*$/m.exec(read("README.md"))?.[0]).toContain("`MAIL_INBOUND_DOMAIN`");
  vi.unstubAllEnvs();
  expect(localVariables(8787)).toMatchObject({ MAIL_INBOUND_DOMAIN: "wrenfield.example" });
});
