import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { isPassword } from "~/platform/crypto.server";
import { seedDemoWorld } from "../../../scripts/lib/demo-world/seed.mjs";
import { addVisitor, expectIntact, visit } from "../../../scripts/lib/drill.mjs";
import { testSecrets } from "../../support/test-variables.mjs";

const NOW = Date.parse("2026-11-18T15:00:00Z");
const database = new DatabaseSync(":memory:");
const folder = path.resolve("migrations");
for (const name of readdirSync(folder).sort()) {
  if (name.endsWith(".sql")) database.exec(readFileSync(path.join(folder, name), "utf8"));
}
seedDemoWorld(database, testSecrets, NOW);

test("a restore whose second factors cannot be read is not proven", () => {
  expect(() => expectIntact(database, testSecrets)).not.toThrow();
  expect(() => expectIntact(database, { ...testSecrets, DATA_KEK_1: testSecrets.FORM_KEY_1 })).toThrow();
});

test("who signs in for the drill is an administrator with a second factor and a password that nobody knows", () => {
  const { email, password, newest } = addVisitor(database, testSecrets, NOW);
  const stored = database
    .prepare(
      `SELECT u.status, u.password_hash AS hash, r.role, f.is_enabled AS factor FROM users u
       JOIN user_roles r ON r.user_id = u.id JOIN user_mfa_settings f ON f.user_id = u.id WHERE u.email = ?`,
    )
    .get(email);
  expect(stored).toMatchObject({ status: "active", role: "admin", factor: 1 });
  expect(isPassword(testSecrets.PASSWORD_PEPPER_1, password, String(stored?.hash))).toBe(true);
  expect(newest.number).toBe(database.prepare("SELECT max(number) AS n FROM support_tickets").get()?.n);
});

test("a site that does not let the visitor in is not proven", async () => {
  const visitor = addVisitor(database, testSecrets, NOW + 1);
  await expect(visit("http://127.0.0.1:1", visitor)).rejects.toThrow();
});
