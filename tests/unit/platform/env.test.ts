import { expect, test } from "vitest";
import { readConfig } from "~/platform/env.server";
import { testSecrets, testVariables } from "../../support/test-variables.mjs";

const read = (changes: Record<string, string>) =>
  readConfig({ ...testVariables, ...testSecrets, ...changes } as unknown as Parameters<typeof readConfig>[0]);

test.each([
  ["an empty key", { PASSWORD_PEPPER_1: "" }, "PASSWORD_PEPPER_1"],
  ["a key that is too short", { DATA_KEK_1: btoa("short") }, "DATA_KEK_1"],
  ["captured mail in production", { APP_ENV: "production" }, "MAIL_PROVIDER"],
])("with %s the worker does not run, and the problem names the variable alone", (_, changes, name) => {
  const problems = { problems: [expect.stringMatching(new RegExp(`^${name}: `))] };
  expect(read(changes)).toMatchObject({ ok: false, ...problems });
  expect(JSON.stringify(read(changes))).not.toContain(btoa("short"));
});

test("with all of them it runs", () => {
  expect(read({}).ok).toBe(true);
});
