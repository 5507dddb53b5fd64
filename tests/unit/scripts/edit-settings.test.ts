import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { addEnvironment, writeSettings } from "../../../scripts/lib/edit-settings.mjs";

function file(text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "wrenfield-settings-"));
  const settings = path.join(folder, "wrangler.toml");
  writeFileSync(settings, text);
  return { settings, folder, text: () => readFileSync(settings, "utf8") };
}

const set = (key: string, value: unknown, rest: object = {}) => [{ table: "", key, value, ...rest }];

test.each([
  ["a value, and keeps the comment behind it", 'a = "x" # why\nb = 1\n', set("a", "y"), 'a = "y" # why\nb = 1\n'],
  ["a list of several lines", "a = [\n  1, # one ]\n  2,\n] # end\nb = 1\n", set("a", [3]), "a = [3] # end\nb = 1\n"],
  ["a text that looks like a comment", 'a = "x # y" # why\n', set("a", "#"), 'a = "#" # why\n'],
  [
    "a new key below its example",
    "# a = 1\nb = 2\n\n[t]\nc = 3\n",
    set("a", 9),
    "# a = 1\na = 9\nb = 2\n\n[t]\nc = 3\n",
  ],
  [
    "a new key of the top above the first table",
    "b = 2\n\n# t\n[t]\n",
    set("a", true),
    "b = 2\na = true\n\n# t\n[t]\n",
  ],
  ["line ends of Windows", "a = 1\r\nb = 2\r\n", set("a", 3), "a = 3\r\nb = 2\r\n"],
  ["quotes and line breaks", "a = 1\n", set("a", 'x"\n\\y'), 'a = "x\\"\\n\\\\y"\n'],
  ["nothing where a key is removed that is not there", "a = 1\n", set("b", null), "a = 1\n"],
  ["nothing where a key was", "a = 1\nb = 2\n", set("a", null), "b = 2\n"],
])("writes %s", async (_name, before, edits, after) => {
  const { settings, text } = file(before);
  await writeSettings(settings, edits);
  expect(text()).toBe(after);
});

const LISTS =
  '[[stores]]\nbinding = "A"\nid = "1"\n\n[[stores]]\nbinding = "B"\nid = "2"\n\n[env.x]\n[[env.x.stores]]\nbinding = "B"\nid = "3"\n';

test("changes the entry of a list that is meant, in the environment that is meant", async () => {
  const { settings, text } = file(LISTS);
  await writeSettings(settings, [{ table: "stores", of: "B", key: "id", value: "new" }]);
  expect(text()).toBe(LISTS.replace('"2"', '"new"'));
  await writeSettings(settings, [{ table: "stores", of: "B", key: "id", value: "own" }], "x");
  expect(text()).toBe(LISTS.replace('"2"', '"new"').replace('"3"', '"own"'));
});

test("what would be read differently is not written, and no draft stays", async () => {
  const before = 'a = """\nx\n[t]\nb = 1\n"""\n[t]\nb = 2\n';
  const { settings, text, folder } = file(before);
  await expect(writeSettings(settings, [{ table: "t", key: "b", value: 3 }])).rejects.toThrow("is as it was");
  expect(text()).toBe(before);
  expect(readdirSync(folder)).toEqual(["wrangler.toml"]);
});

test("an environment is added once, below everything else", async () => {
  const { settings, text } = file('name = "a"\n\n[vars]\nAPP_ENV = "production"\nAPP_ORIGIN = "https://a.net"\n');
  await addEnvironment(settings, "staging");
  const once = text();
  expect(once).toContain('[env.staging]\nname = "a-staging"\nworkers_dev = false\nroutes = []\n');
  await addEnvironment(settings, "staging");
  expect(text()).toBe(once);
});
