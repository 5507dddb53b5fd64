import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { invitations } from "~/db/schema/organizations";
import { EVERYTHING } from "~/features/archives/model";
import { EXPORTED_TABLES, LEFT_OUT } from "~/features/privacy/everything.server";
import { minutes } from "~/lib/time";
import { openedArchive } from "../support/archives";
import type { TestContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, makeSubmission } from "../support/factories";
import { administrator } from "../support/organizations";
import { storeAttachment } from "../support/stored-files";
import { makeTicket } from "../support/tickets";

let world: Awaited<ReturnType<typeof administrator>>;
let base: TestContext;

beforeAll(async () => {
  world = await administrator();
  ({ base } = world);
  const organization = await makeOrganization(base, "Larkspur Row");
  const dana = await makePerson(base, { fullName: "Dana Ortiz", email: "dana@larkspur.example", withPassword: true });
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

test("fifty more tickets ask no more of the database", async () => {
  const everything = { organizationId: EVERYTHING, isInternal: true };
  const costOf = async () => {
    const before = base.cost.queries;
    const files = await openedArchive(world.ctx, world.actor, everything);
    const pages = [...files.keys()].filter((name) => /^organizations\/[^/]+\/tickets\/T-\d+\.html$/.test(name));
    return { queries: base.cost.queries - before, pages: pages.length };
  };
  const organization = await makeOrganization(base, "Fernhill");
  const lee = await makePerson(base, { fullName: "Lee Moss" });
  // A later one replaces the one before, which costs the same each time.
  await costOf();
  const first = await costOf();
  for (let made = 0; made < 50; made += 1)
    await makeTicket(base, { organizationId: organization.id, createdBy: lee, title: `Ticket ${made}` });
  const second = await costOf();
  expect(second.pages - first.pages).toBe(50);
  expect(second.queries).toBeLessThanOrEqual(first.queries);
});

test("a row whose number is zero is in the archive", async () => {
  await base.db.run(
    sql`INSERT OR REPLACE INTO calendars_in_force(since, calendar) VALUES (0, '{"of":"the first day"}')`,
  );
  const files = await openedArchive(world.ctx, world.actor, { organizationId: EVERYTHING, isInternal: true });
  expect(files.get("tables/calendars_in_force.ndjson")).toContain("the first day");
});

test("the archive of everything has a page for each ticket, each row as a line, each file, and nothing that opens an account", async () => {
  const files = await openedArchive(world.ctx, world.actor, { organizationId: EVERYTHING, isInternal: true });
  const [ticket] = (files.get("tables/support_tickets.ndjson") ?? "").trim().split("\n");
  expect(JSON.parse(ticket ?? "")).toMatchObject({ title: "Ünïcode printer", status: "open" });
  expect(files.get("index.html")).toContain(">Larkspur Row</a>");
  const [page] = [...files].filter(([name]) => /^organizations\/[^/]+\/tickets\/T-\d+\.html$/.test(name));
  expect(page?.[1]).toContain("Ünïcode printer");
  const sent = JSON.parse((files.get("tables/attachments.ndjson") ?? "").trim());
  expect(files.get(`files/${sent.id}/1-plan.pdf`)).toBe("%PDF-1.7 of Dana");
  expect(files.get("tables/invitations.ndjson")).toContain("dana@larkspur.example");

  const all = [...files.values()].join("\n");
  expect(all).not.toMatch(/scrypt|HASH-OF-A-LINK/);
  const secrets = await base.db.all<{ value: string }>(sql`
    SELECT password_hash AS value FROM users WHERE password_hash IS NOT NULL UNION SELECT id_hash FROM sessions
    UNION SELECT totp_secret FROM user_mfa_settings WHERE totp_secret IS NOT NULL
    UNION SELECT ip_hash FROM contact_submissions`);
  expect(secrets.length).toBeGreaterThan(0);
  for (const { value } of secrets) expect(all).not.toContain(JSON.stringify(value));
});
