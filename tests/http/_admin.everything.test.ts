import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { invitations } from "~/db/schema/organizations";
import { returnPath } from "~/features/auth/model";
import { EXPORTED_TABLES, everythingFiles, LEFT_OUT, parsePlace } from "~/features/privacy/everything.server";
import { minutes } from "~/lib/time";
import { loader as file } from "~/routes/_admin.admin.exports.everything[.]zip";
import { loader as page } from "~/routes/_admin.admin.privacy.everything";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, makeSubmission } from "../support/factories";
import { args, get } from "../support/requests";
import { storeAttachment } from "../support/stored-files";
import { makeTicket } from "../support/tickets";
import { unzip } from "../support/unzip";

const PATH = "/admin/exports/everything.zip";

let ctx: TestContext;
let base: TestContext;

beforeAll(async () => {
  ({ ctx, base } = await staffMember());
  const organization = await makeOrganization(base, "Larkspur Row");
  const dana = await makePerson(base, { fullName: "Dana Ortiz", email: "dana@larkspur.example" });
  await makeMember(base, organization.id, dana, "member");
  await makeTicket(base, { organizationId: organization.id, createdBy: dana, title: "Ünïcode printer" });
  const request = await makeSubmission(base, { email: dana.email });
  const picture = { name: "plan.pdf", kind: "pdf" as const, bytes: new Uint8Array(Buffer.from("%PDF-1.7 of Dana")) };
  const { statement } = await storeAttachment(base, picture, { type: "submission", id: request.id });
  const invited = { id_hash: "HASH-OF-A-LINK-THAT-WORKS", user_id: dana.id, email: dana.email };
  const link = base.db.insert(invitations).values({
    ...{ ...invited, invited_by: dana.id, inviter_name: "Dana Ortiz" },
    ...{ created_at: base.now(), expires_at: base.now() + minutes(5) },
  });
  await commit(base.db, [statement, link]);
});

const ask = (query = "") => file(args(ctx, get(PATH + query), {})) as Promise<Response>;
const opened = async () => unzip(new Uint8Array(await (await ask()).arrayBuffer()));

test("every table of the database is in the archive, or is left out for a reason", async () => {
  const tables = await base.db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`);
  const own = tables.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf|d1_)|_search/.test(name));
  const known = [...EXPORTED_TABLES.map(({ name }) => name), ...Object.values(LEFT_OUT).flat()];
  expect(known.sort()).toEqual(own.sort());
});

test("no column of the archive is a secret by its name, but for sums of files and of the record", () => {
  const suspicious = EXPORTED_TABLES.flatMap(({ name, columns }) =>
    columns.filter((column) => /hash|secret|token|_enc|salt|sha256|epoch/.test(column)).map((one) => `${name}.${one}`),
  );
  expect(suspicious).toEqual([
    "attachments.sha256",
    "letters.letter_hash",
    "audit_seals.prev_hash",
    "audit_seals.hash",
  ]);
});

test("no copy of words that exists for the search is in the archive", () => {
  const copies = EXPORTED_TABLES.flatMap(({ name, columns }) =>
    columns.filter((column) => column.startsWith("search_")).map((column) => `${name}.${column}`),
  );
  expect(copies).toEqual([]);
});

test("the archive has each row as a line and each file, nothing that opens an account, and is on record", async () => {
  const response = await ask("?files=on");
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="everything-2026-11-18.zip"/);
  const files = unzip(new Uint8Array(await response.arrayBuffer()));
  const [ticket] = (files.get("tables/support_tickets.ndjson") ?? "").trim().split("\n");
  expect(JSON.parse(ticket ?? "")).toMatchObject({ title: "Ünïcode printer", status: "open" });
  const sent = JSON.parse((files.get("tables/attachments.ndjson") ?? "").trim());
  expect(files.get(`files/${sent.id}-plan.pdf`)).toBe("%PDF-1.7 of Dana");
  expect(files.get("tables/invitations.ndjson")).toContain("dana@larkspur.example");

  const all = [...files.values()].join("\n");
  expect(all).not.toMatch(/scrypt|HASH-OF-A-LINK/);
  const secrets = await base.db.all<{ value: string }>(sql`
    SELECT password_hash AS value FROM users WHERE password_hash IS NOT NULL UNION SELECT id_hash FROM sessions
    UNION SELECT totp_secret FROM user_mfa_settings WHERE totp_secret IS NOT NULL
    UNION SELECT ip_hash FROM contact_submissions`);
  expect(secrets.length).toBeGreaterThan(2);
  for (const { value } of secrets) expect(all).not.toContain(JSON.stringify(value));

  const [event] = await base.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.action, "security.everything_exported"));
  expect(JSON.parse(event?.meta_json ?? "{}")).toEqual({ withFiles: true });
});

test("without files their keys are still listed, and a place that does not exist is not found", async () => {
  const files = await opened();
  expect([...files.keys()].filter((name) => name.startsWith("files/"))).toEqual([]);
  expect(files.get("tables/attachments.ndjson")).toContain('"r2_key":"att/');
  for (const after of ["tables/sessions:0", "tables/users", "files:x", "tables/users:-1"]) {
    await expect(ask(`?after=${after}`)).rejects.toMatchObject({ status: 404 });
  }
});

test("an archive that is full says where the rest is, and no row or file is in two or in none", async () => {
  await base.db.run(sql`WITH RECURSIVE files(number) AS (SELECT 1000 UNION ALL SELECT number + 1 FROM files LIMIT 1100)
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id)
    SELECT 'att_z' || number, 'files/' || number, 'a.pdf', 'pdf', 1, '', 0, 'submission', 'sub_none' FROM files`);
  const stored = { db: base.db, files: { ...base.files, get: async () => new Response("x").body } };
  const names: string[] = [];
  let next: string | null = "";
  let archives = 0;
  while (next !== null) {
    const from = parsePlace(next);
    next = null;
    archives += 1;
    if (!from) throw new Error("The address of the next archive is not one of ours");
    const archive = { from, withFiles: true, next: (place: string) => place };
    for await (const entry of everythingFiles(stored as Parameters<typeof everythingFiles>[0], archive)) {
      if ("bytes" in entry) {
        next = /is at (\S+)/.exec(new TextDecoder().decode(entry.bytes))?.[1] ?? next;
        continue;
      }
      names.push(entry.name);
      for await (const _part of entry.parts);
    }
  }
  const files = names.filter((name) => name.startsWith("files/"));
  expect([archives, files.length, new Set(names).size]).toEqual([2, 1101, names.length]);
});

test("many archives in a row are sent, each on record, while the first ones share the limit of all files", async () => {
  for (let number = 0; number < 12; number += 1) expect((await ask(`?after=tables/users:${number}`)).status).toBe(200);
  const recorded = sql`action = 'security.everything_exported' AND meta_json LIKE '%"after":"tables/users:%'`;
  expect(await base.db.$count(auditEvents, recorded)).toBe(12);
});

test("without a fresh proof of identity the file leads to the question, which leads back to its part on the page", async () => {
  const read = async (path = "/admin/privacy/everything") => (await page(args(ctx, get(path), {}))).json();
  expect(await read()).toEqual({ hasProof: true, more: null });
  ctx.clock.advance(minutes(11));
  expect(await read()).toEqual({ hasProof: false, more: null });
  const leadsBackTo = async (query: string) => {
    const redirect = (await ask(query).catch((thrown: unknown) => thrown)) as Response;
    const question = new URL(redirect.headers.get("Location") ?? "", "https://wrenfield.example");
    expect(question.pathname).toBe("/profile/confirm");
    return returnPath(question.searchParams.get("redirectTo")) ?? "";
  };
  expect(await leadsBackTo("?files=on")).toBe("/admin/privacy/everything");
  const next = { withFiles: true, after: "files:700" };
  expect((await read(await leadsBackTo("?files=on&after=files%3A700"))).more).toEqual(next);
  expect((await read("/admin/privacy/everything?after=tables/sessions:0")).more).toBeNull();
});
