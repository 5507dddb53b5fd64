import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { hashToken } from "~/platform/crypto.server";
import { builtWorker } from "../support/built-worker";
import { builtFile, type PageScripts, pageScripts, readClientManifest } from "../support/client-manifest.mjs";
import { signedInOn } from "../support/raw-session";

/*
 * The scripts that a page of the admin area loads, measured on the built product. Every page loads the layout and the
 * framework, so these limits apply to all of them.
 */
/** Limits the compressed bytes, as the compiler writes them. The most is 140,737 (docs/decisions/0001). */
const SCRIPTS = 140_800;

/** Lists words that only server code contains. A script with one of them contains a server module. */
const SERVER_ONLY = [
  "drizzle",
  "sqlite",
  "SELECT ",
  "INSERT INTO",
  "PASSWORD_PEPPER",
  "DATA_KEK",
  "ZodError",
  "otpauth:",
];

/** Limits the compressed bytes of the list of tickets with 25 rows and ten staff to choose from. It measures 13,900. */
const TICKET_LIST = 20_000;

const ORIGIN = "http://localhost:8787";
const root = path.resolve(import.meta.dirname, "../..");
const contentOf = (url: string) => readFileSync(path.join(root, builtFile(url)));

const server = builtWorker();

const WORDS =
  "mail from the new scanner stops at noon and nobody in the front office can print labels since Monday".split(" ");
const NAMES = ["Priya Raman", "Tomas Lindgren", "Amara Okafor", "Elena Marchetti", "Mei Watanabe", "Carlos Benavides"];
const idOf = (prefix: string, index: number) =>
  `${prefix}_${hashToken(`${prefix}${index}`).toLowerCase().slice(0, 26)}`;
const words = (index: number, count: number) =>
  Array.from({ length: count }, (_, place) => WORDS[(index * 7 + place * (index + 3)) % WORDS.length]).join(" ");

/**
 * Stores nine staff and 25 tickets whose words, names and ids differ, as those of people do. Other files, which have
 * used the same worker before, leave staff and live updates, which would be part of the page as well.
 */
async function fillTickets() {
  const { db } = server;
  const now = Date.now();
  const staff = db.prepare(
    "INSERT INTO users(id, email, full_name, status, created_at, updated_at) VALUES (?1, ?1 || '@x.example', ?2, 'active', ?3, ?3)",
  );
  const role = db.prepare("INSERT INTO user_roles(user_id, role) VALUES (?, 'moderator')");
  const organization = db.prepare(
    "INSERT INTO organizations(id, created_at, updated_at, name, slug, search_name) VALUES (?1, ?2, ?2, ?3, ?1, ?3)",
  );
  const ticket = db.prepare(
    `INSERT INTO support_tickets(id, created_at, updated_at, number, organization_id, title, description, priority, status,
       creator_name, assigned_to, last_message_at, promise_json, due_at, viewers, search_text)
     VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?2, '{}', ?11, '', ?5)`,
  );
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  const status = ["open", "in_progress", "waiting_for_customer", "resolved", "closed"];
  await db.batch([
    db.prepare("DELETE FROM user_roles"),
    db.prepare("DELETE FROM live_events"),
    ...upTo(9).flatMap((index) => [
      staff.bind(idOf("usr", index), `${NAMES[index % 6]} ${words(index, 1)}`, now),
      role.bind(idOf("usr", index)),
    ]),
    ...upTo(15).map((index) => organization.bind(idOf("org", index), now, `${words(index, 2)} and Sons`)),
    ...upTo(25).map((index) =>
      ticket.bind(
        ...[idOf("tkt", index), now - index * 5_400_123, 3_000 + index, idOf("org", (index * 4) % 15)],
        ...[words(index, 5), words(index + 30, 24), ["low", "medium", "high", "urgent"][index % 4]],
        ...[status[index % 5], NAMES[(index * 5) % 6], index % 4 ? idOf("usr", index % 9) : null],
        index % 5 < 2 ? now + (index - 9) * 3_600_000 : null,
      ),
    ),
  ]);
}

test("the list of tickets with 25 rows and ten staff stays within its bytes", async () => {
  await fillTickets();
  const headers = await signedInOn(server.db, "admin");
  const page = await server.fetch(`${ORIGIN}/admin/tickets?sort=newest`, { headers });
  const html = await page.text();
  expect(html.match(/<tr id="tkt_/g)).toHaveLength(25);
  expect(gzipSync(html, { level: 6 }).length).toBeLessThanOrEqual(TICKET_LIST);
});

describe.each(pageScripts())("/$page", ({ scripts }: PageScripts) => {
  test("loads scripts within the budget, without the charts, which are asked for later", () => {
    expect(scripts.length).toBeGreaterThan(0);
    for (const url of scripts) expect(contentOf(url).includes("recharts"), url).toBe(false);
    const bytes = scripts.reduce((sum, url) => sum + gzipSync(contentOf(url), { level: 6 }).length, 0);
    expect(bytes).toBeLessThanOrEqual(SCRIPTS);
  });
});

test("a served page loads exactly these scripts, and all exist and are cached for ever", async () => {
  const headers = await signedInOn(server.db, "admin");
  const page = await server.fetch(`${ORIGIN}/admin/submissions`, { headers });
  expect(page.status).toBe(200);
  const loaded = (await page.text()).match(/\/build\/[^"']+\.js/g) ?? [];
  const expected = pageScripts().find((one) => one.page === "admin/submissions");
  expect([...new Set(loaded)].sort()).toEqual(expected?.scripts.toSorted());
  for (const script of new Set(loaded)) {
    const file = await server.fetch(new URL(script, ORIGIN));
    expect(file.status, script).toBe(200);
    expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  }
});

test("no script that a browser may load contains server code", () => {
  const { entry, routes } = readClientManifest();
  const urls = new Set([entry, ...Object.values(routes)].flatMap(({ module, imports = [] }) => [module, ...imports]));
  expect(urls.size).toBeGreaterThan(10);
  for (const url of urls) {
    const text = contentOf(url).toString();
    expect(
      SERVER_ONLY.filter((word) => text.includes(word)),
      url,
    ).toEqual([]);
  }
});
