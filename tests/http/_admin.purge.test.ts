import { desc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { archives } from "~/db/schema/archives";
import { auditEvents } from "~/db/schema/audit";
import { legalHolds, purges, retentionRuns } from "~/db/schema/privacy";
import { contactSubmissions } from "~/db/schema/submissions";
import { continuePurges } from "~/features/privacy/purge.server";
import { days, minutes } from "~/lib/time";
import * as route from "~/routes/_admin.admin.privacy.purge";
import { flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makePerson, makeSubmission, PASSWORD } from "../support/factories";
import { pageAt } from "../support/page";
import type { Fields } from "../support/requests";
import { storeAttachment } from "../support/stored-files";

const PATH = "/admin/privacy/purge";

let ctx: TestContext;
let base: TestContext;

beforeEach(async () => {
  ({ ctx, base } = await staffMember());
  await base.db.batch([base.db.delete(legalHolds), base.db.delete(contactSubmissions), base.db.delete(purges)]);
});

const quiet = (age: number, options = {}) =>
  makeSubmission(base, { status: "resolved", at: base.now() - days(age), ...options });
const page = pageAt(PATH, route);
const read = (asked = "60") => page.read(ctx, `${PATH}?days=${asked}`);
/** Fills in the form, which the function that is returned sends. */
const form = async (fields: Fields) => {
  const { token } = await read();
  const all = { intent: "purge", form_token: token, days: "60", confirm: "PURGE", ...fields };
  return () => page.post(ctx, `${PATH}?days=60`, all) as Promise<Response>;
};
const send = async (fields: Fields) => (await form(fields))();
const left = async () =>
  new Set((await base.db.select({ id: contactSubmissions.id }).from(contactSubmissions)).map(({ id }) => id));

const newestOf = async (action: "submission.purge_requested" | "submission.purged") => {
  const isAction = eq(auditEvents.action, action);
  return (await base.db.select().from(auditEvents).where(isAction).orderBy(desc(auditEvents.id)).limit(1))[0];
};

test("what a purge deletes is what its page has counted, held and active ones stay, and a double click is one purge", async () => {
  const due = [await quiet(61), await quiet(200), await quiet(90, { status: "new", moderationReason: "content" })];
  const onHold = await quiet(300);
  const kept = [
    onHold,
    await quiet(59),
    await quiet(900, { status: "new" }),
    await quiet(900, { status: "contacted" }),
  ];
  await base.db.insert(legalHolds).values({
    ...{ id: base.newId("hld"), subject_type: "submission", subject_id: onHold.id, reason: "A dispute" },
    ...{ placed_by_name: "Avery Quinn", placed_at: base.now() },
  });
  const picture = { name: "plan.pdf", kind: "pdf" as const, bytes: new Uint8Array(Buffer.from("%PDF-1.7")) };
  await storeAttachment(base, picture, { type: "submission", id: due[0]?.id ?? "" }).then(({ statement }) => statement);
  expect((await read()).preview).toMatchObject({ count: 3, onHold: 1, files: 1, notes: 0, isMore: false });

  const twice = await form({ counted: "3" });
  const answers = await Promise.all([twice(), twice()]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  await ctx.settle();
  const ids = await left();
  expect(due.filter(({ id }) => ids.has(id))).toEqual([]);
  expect(kept.filter(({ id }) => !ids.has(id))).toEqual([]);
  expect((await read()).purges).toMatchObject([{ submissions: 3, files: 1, notes: 0, onHold: 1 }]);
  expect((await read()).purges[0]?.finishedAt).not.toBeNull();
  expect(await base.db.$count(retentionRuns)).toBe(0);
  const requested = await newestOf("submission.purge_requested");
  expect([requested?.actor_role, JSON.parse(requested?.meta_json ?? "{}")]).toEqual([
    "admin",
    { count: 3, isMore: false, days: 60 },
  ]);
  const purged = await newestOf("submission.purged");
  expect([purged?.actor_role, JSON.parse(purged?.meta_json ?? "{}").ids.length]).toEqual(["system", 3]);
});

test("a wrong word, days that are none, more than was read, and nothing at all purge nothing", async () => {
  const { id } = await quiet(70);
  for (const [fields, status, text] of [
    [{ confirm: "purge", counted: "1" }, 400, "PURGE"],
    [{ confirm: [], counted: "1" }, 400, "PURGE"],
    [{ counted: "1", days: "soon" }, 400, "whole number"],
    [{ counted: "1", days: "3651" }, 400, "whole number"],
    [{ counted: "0" }, 409, "Meanwhile there are more. 1 submission"],
    [{ counted: "9", days: "3650" }, 400, "nothing to purge"],
    [{ counted: "1", form_token: "stale" }, 400, "form"],
  ] as const) {
    const answer = await send(fields);
    expect([answer.status, JSON.stringify(fields)]).toEqual([status, JSON.stringify(fields)]);
    expect(await answer.text()).toContain(text);
  }
  expect([await base.db.$count(purges), (await left()).has(id)]).toEqual([0, true]);
  const { preview, daysError } = await read("-1");
  expect([preview, daysError]).toEqual([null, expect.stringContaining("whole number")]);
});

test("a thousand on hold hide nothing that would go, and of more than a thousand no number is made up", async () => {
  const held = await makePerson(base);
  const { id: first } = await quiet(300, { email: held.email });
  await base.db.run(sql`WITH RECURSIVE more(number) AS (SELECT 5001 UNION ALL SELECT number + 1 FROM more LIMIT 1002)
    INSERT INTO contact_submissions(id, number, first_name, last_name, email, message, status, consent_at, reply_due_at,
      consent_terms_version, ip_hash, search_text, name_key, submitted_on, created_at, updated_at)
    SELECT 'sub_m' || more.number, more.number, first_name, last_name, email, message, status, consent_at, reply_due_at,
      consent_terms_version, ip_hash, search_text, name_key, submitted_on, created_at, updated_at
    FROM more, contact_submissions WHERE id = ${first}`);
  const hold = { id: base.newId("hld"), subject_type: "user" as const, subject_id: held.id, reason: "A dispute" };
  await base.db.insert(legalHolds).values({ ...hold, placed_by_name: "Avery Quinn", placed_at: base.now() });
  const { id: free } = await quiet(100);
  expect((await read()).preview).toMatchObject({ count: 1, onHold: 1003, isMore: false });

  await base.db.delete(legalHolds);
  expect((await read()).preview).toMatchObject({ count: 1000, onHold: 0, isMore: true });
  const tooFew = await send({ counted: "1000" });
  expect([tooFew.status, await tooFew.text()]).toEqual([409, expect.stringContaining("More than 1,000 submissions")]);
  const twice = await form({ counted: "1001" });
  for (const press of [twice, twice]) {
    expect((await press()).status).toBe(303);
    expect(flash(ctx)).toMatch(/are being deleted/);
    expect(flash(ctx)).not.toMatch(/\d|minutes/);
  }
  const requested = await newestOf("submission.purge_requested");
  expect(JSON.parse(requested?.meta_json ?? "{}")).toEqual({ count: 1000, isMore: true, days: 60 });
  await ctx.settle();
  expect((await read()).purges).toMatchObject([{ submissions: 500, finishedAt: null }]);
  while ((await continuePurges(base)).more);
  expect((await left()).has(free)).toBe(false);
});

test("without a fresh proof of identity the form asks for one, and keeps the word but no password", async () => {
  const { id } = await quiet(80);
  ctx.clock.advance(minutes(11));
  expect((await read()).identity).not.toBeNull();
  const answer = await send({ counted: "9", current_password: `${PASSWORD}x`, code: "000000" });
  const text = await answer.text();
  expect([answer.status, text.includes("PURGE"), text.includes(PASSWORD)]).toEqual([400, true, false]);
  expect((await left()).has(id)).toBe(true);
});

test("a purge that was interrupted goes on where it stopped, with what was quiet when it was asked for", async () => {
  const before = base.now() - days(60);
  await base.db.insert(purges).values({ id: "prg_a", quiet_since: before, requested_at: base.now() });
  for (let count = 0; count < 3; count += 1) await quiet(100);
  const stays = await quiet(60);
  const away = vi.spyOn(base.db, "all").mockRejectedValueOnce(new Error("D1 is away"));
  await expect(continuePurges(base)).rejects.toThrow("D1 is away");
  away.mockRestore();
  // One of everything that is there by now may have what was to go; one of an organization has no submissions.
  for (const organizationId of ["", "org_1"])
    await base.db.insert(archives).values({
      ...{ id: `arc_${organizationId}`, organization_id: organizationId, requested_by: "usr_1", for_staff: true },
      ...{ state: "ready", requested_at: base.now(), expires_at: base.now() + days(60) },
    });
  base.clock.advance(days(30));
  while ((await continuePurges(base)).more);
  expect((await left()).has(stays.id)).toBe(true);
  const kept = await base.db.select().from(archives).orderBy(archives.id);
  expect(kept.map(({ state }) => state)).toEqual(["ended", "ready"]);
  const [purge] = await base.db.select().from(purges);
  expect(purge?.finished_at).toBe(base.now());
  expect(await continuePurges(base)).toEqual({ count: 0, more: false });
});
