import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { outbox } from "~/db/schema/outbox";
import { findUnsentForm } from "~/features/account/unsent-form.server";
import { downloadAttachment } from "~/features/attachments/download-attachment.server";
import { ACTIVITY_TYPES, AUDIT_ACTIONS } from "~/features/audit/model";
import { countActivity } from "~/features/audit/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { auditSearchText } from "~/features/audit/search-text";
import { findSignedIn, listOpenSessions } from "~/features/auth/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addNote } from "~/features/notes/add-note.server";
import { findNote, listNotes } from "~/features/notes/queries.server";
import { deleteSubmissions } from "~/features/submissions/list/delete-submissions.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { listTimeline } from "~/features/submissions/record/timeline.server";
import { submissionSubject } from "~/features/submissions/subject";
import { listLiveUpdates, listSavedViews } from "~/features/workspace/queries.server";
import type { Subject } from "~/lib/subject";
import { readForDelivery } from "~/live/hub-reads.server";
import { hashToken } from "~/platform/crypto.server";
import { readFeed } from "../../support/activity";
import { bindings, derive, type TestContext } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";
import { as, signedInAs } from "../../support/factories";
import { listSubmissions, selectSubmissions } from "../../support/submission-list";
import { browserOfJordan, fillAsBefore, jordan, unsentForm } from "./rows-before-subjects";

const priya: Subject = { type: "submission", id: "sub_priya" };

let ctx: TestContext;
let binding: D1Database;
let countsBefore: { name: string; value: number }[];

beforeAll(async () => {
  const database = await databaseBefore("0009");
  binding = database.binding;
  await fillAsBefore(database);
  countsBefore = await database.all("SELECT name, value FROM totals ORDER BY name");
  ctx = await database.migrate();
  await rewordAudit(ctx);
});

const seen = async (query = "") => (await readFeed(ctx.db, query)).entries;

test("every event is still told, with the names that are known and the pages that exist", async () => {
  const entries = await seen();
  const about = { email: jordan.email, href: "/admin/submissions/sub_priya", details: "Priya Ramán" };
  const elsewhere = { email: jordan.email, href: null, details: "" };
  const by = (words: string) => `Jördis Vale ${words}`;
  expect(entries.map(({ id, at: _, ...entry }) => entry).reverse()).toEqual([
    { ...about, type: "submission", sentence: "Priya Ramán sent a request", details: "", email: null },
    { ...about, type: "status_change", sentence: expect.any(String), details: "Priya Ramán: new to contacted" },
    { ...elsewhere, type: "submission", sentence: expect.any(String), details: "held (sent without the bot check)" },
    { ...about, type: "note", sentence: by("added an internal note") },
    { ...about, type: "note", sentence: by("edited an internal note") },
    { ...elsewhere, type: "security", sentence: by("signed in") },
    { ...elsewhere, type: "security", sentence: expect.stringMatching(/^Sign-in failed: /), email: null },
    { ...elsewhere, type: "security", sentence: by("set up two-step sign-in") },
    { ...elsewhere, type: "user", sentence: expect.stringMatching(/^Jördis Vale had /), email: null },
    { ...elsewhere, type: "organization", sentence: by("created an organization"), details: "Larkspur Ơn Жизнь Ωmega" },
    { ...elsewhere, type: "settings", sentence: expect.any(String) },
    {
      ...about,
      type: "submission",
      sentence: by("changed owner or follow-up"),
      details: "Priya Ramán: follow up Dec 1",
    },
    { ...elsewhere, type: "submission", sentence: expect.any(String), details: "12,345 rows" },
    { ...elsewhere, type: "submission", sentence: expect.any(String), details: "2 submissions" },
  ]);
});

test("every event is filed under a type, and found by it", async () => {
  const counts: [string, number][] = [];
  for (const type of ACTIVITY_TYPES) counts.push([type, (await seen(`type=${type}`)).length]);
  expect(Object.fromEntries(counts)).toEqual({
    submission: 5,
    user: 1,
    note: 2,
    status_change: 1,
    ticket: 0,
    organization: 1,
    security: 3,
    settings: 1,
  });
});

test.each([
  ["priya raman", 5],
  ["new to contacted", 1],
  ["without the bot check", 1],
  ["12,345 rows", 1],
  ["larkspur", 1],
  ["larkspur ƠN", 1],
  ["жизнь ωmega", 1],
  ["jordis vale", 12],
  ["tech@wrenfield", 11],
  ["jordis&type=note", 2],
  ["priya&type=user", 0],
])("a search for %s finds %i of the events that were there before", async (q, count) => {
  expect((await seen(`q=${q}`)).length).toBe(count);
});

test("the counts are those from before, and go on from there", async () => {
  const totals = () => ctx.db.all<{ name: string; value: number }>(sql`SELECT name, value FROM totals ORDER BY name`);
  const known = countsBefore.map(({ name }) => name);
  expect((await totals()).filter(({ name }) => known.includes(name))).toEqual(countsBefore);
  expect(await countSubmissions(ctx.db)).toMatchObject({ contacted: 2, all: 2 });
  const before = await countActivity(ctx.db, ctx.now());
  const subject = submissionSubject({ id: "sub_priya", name: "Priya Ramán" });
  await commit(ctx.db, [recordAudit(as(ctx, jordan), "submission.replied", { subject })]);
  expect(await countActivity(ctx.db, ctx.now())).toMatchObject({
    all: before.all + 1,
    submissions: before.submissions + 1,
    people: before.people + 1,
  });
});

test("every event is found by the words that a new event of its kind would be found by", async () => {
  const rows = await ctx.db.select().from(auditEvents).orderBy(auditEvents.id).limit(14);
  for (const { action, subject_label, meta_json, actor_name, actor_email, search_text } of rows) {
    const known = AUDIT_ACTIONS.find((candidate) => candidate === action);
    if (!known) throw new Error(`No action is called ${action}`);
    const actor = { name: actor_name, email: actor_email };
    const meta = JSON.parse(meta_json ?? "{}");
    expect(search_text).toBe(auditSearchText({ action: known, label: subject_label, meta, actor }));
  }
  expect(rows.map(({ search_text }) => search_text?.split("\n")[0])).toContain("larkspur on жизнь ωmega");
});

test("notes stand where they stood, with their versions, and new ones join them", async () => {
  const listed = await listNotes(ctx.db, priya);
  expect(listed.map(({ id, text, author, version }) => [id, text, author, version]).sort()).toEqual([
    ["note_1", "Call back", jordan.fullName, 1],
    ["note_2", "Called", jordan.fullName, 2],
  ]);
  expect(await findNote(ctx.db, { type: "submission", id: "sub_other" }, "note_1")).toBeNull();
  const actor = signedInAs(jordan, ctx.now());
  expect(await addNote(as(ctx, jordan), actor, { subject: priya, note: "New", nonce: "n1" })).toMatchObject({
    ok: true,
  });
  expect(await listNotes(ctx.db, priya)).toHaveLength(3);
});

test("a file is downloaded from what it belongs to", async () => {
  expect((await findSubmission(ctx.db, priya.id))?.file).toEqual({ id: "att_1", name: "plan.pdf", bytes: 8 });
  const actor = signedInAs(jordan, ctx.now());
  const file = await downloadAttachment(as(ctx, jordan), actor, "att_1");
  expect(await new Response(file?.content).text()).toBe("%PDF-1.7");
});

test("the live panel shows what it showed, and numbers go on where they stopped", async () => {
  const technician = as(ctx, { ...jordan, id: "usr_reader" });
  const { updates } = await listLiveUpdates(technician);
  const told = updates.map(({ seq, label, href }) => [seq, label, href]);
  expect(told.slice(-2)).toEqual([
    [8, "Status of 2 submissions: Contacted", "/admin/submissions"],
    [7, "New submission from Priya Ramán", "/admin/submissions/sub_priya"],
  ]);
  expect((await listLiveUpdates(as(ctx, jordan))).updates.map(({ seq }) => seq)).not.toContain(8);
  const [newest] = await ctx.db.all<{ seq: number }>(sql`SELECT max(seq) AS seq FROM live_events`);
  expect(newest?.seq).toBeGreaterThan(10);
});

test("an event for an organization still reaches its people, and nobody on the staff", async () => {
  const query = { sids: [], afterSeq: 0, now: ctx.now() };
  const { events, newestSeq } = await readForDelivery(binding, { ...query, audience: organizationAudience("org_1") });
  expect(events).toMatchObject([{ seq: 10, type: "ticket_event", id: "tic_1", label: "T-1001: a reply" }]);
  expect(newestSeq).toBe(10);
  const staff = await readForDelivery(binding, { ...query, audience: "staff" });
  expect(staff.events.map(({ seq }) => seq)).not.toContain(10);
});

test("whoever was signed in still is, with the same role, and finds the session in the list", async () => {
  const hash = hashToken(browserOfJordan.sessionId);
  expect(await findSignedIn(ctx.db, hash, ctx.now())).toMatchObject({ userId: jordan.id, role: jordan.role, aal: 2 });
  expect(await listOpenSessions(ctx.db, jordan.id, ctx.now())).toMatchObject([
    { sessionHash: hash, device: "Firefox on Windows" },
  ]);
});

test("a form that waited for its owner to sign in again can still be read by them", async () => {
  const cookies = new Map([["__Host-hld", browserOfJordan.unsentFormId]]);
  const browser = derive(ctx, { request: { ...ctx.request, cookies } });
  expect(await findUnsentForm(browser, signedInAs(jordan, ctx.now()))).toEqual(unsentForm);
});

test("a saved view still stands in the list of those it was shared with", async () => {
  const views = await listSavedViews(ctx.db, "usr_reader", "submissions");
  expect(views).toEqual([
    {
      id: "view_1",
      name: "Waiting for us",
      query: "status=contacted",
      shared: true,
      mine: false,
      owner: "Jördis Vale",
    },
  ]);
});

test("mails that waited leave with their number and their link, once, and those that ended stay as they are", async () => {
  const report = await deliverOutbox(ctx);
  expect(report).toMatchObject({ sent: 5, dead: 0, pending: 0 });
  const textTo = (to: string) => ctx.sent.find((mail) => mail.to === to)?.text ?? "";
  expect(textTo("priya@larkspur.example")).toContain("L-1001");
  expect(textTo("hello@wrenfield.example")).toContain("/admin/submissions/sub_priya");
  expect(textTo("omar@larkspur.example")).toContain("L-1002");
  expect(textTo("cap@wrenfield.example")).toContain("200 submissions was reached on Nov 17");
  expect(textTo("cap@wrenfield.example")).toContain("/admin");
  expect(await deliverOutbox(ctx)).toMatchObject({ claimed: 0 });
  const ended = await ctx.db
    .select({ id: outbox.id, status: outbox.status, about: outbox.subject_type })
    .from(outbox)
    .where(eq(outbox.to_hash, "x"))
    .orderBy(outbox.id);
  expect(ended).toEqual([
    { id: "mail_dead", status: "dead", about: "submission" },
    { id: "mail_sent", status: "sent", about: "submission" },
    { id: "mail_uncertain", status: "uncertain", about: "submission" },
  ]);
});

test("a deletion takes along what came with the database: notes, files, live events, history and the name", async () => {
  const { version = 0 } = (await findSubmission(ctx.db, priya.id)) ?? {};
  const selection = selectSubmissions([{ id: priya.id, version }]);
  expect(await deleteSubmissions(as(ctx, jordan), { selection, nonce: "delete-1" })).toEqual({
    changed: 1,
    skipped: 0,
    onHold: 0,
  });
  await ctx.settle();
  expect(await listNotes(ctx.db, priya)).toEqual([]);
  expect(await listTimeline(ctx.db, priya.id)).toEqual([]);
  expect(await bindings.FILES.get("att/plan")).toBeNull();
  const told = await seen();
  expect(JSON.stringify(told)).not.toContain("Priya");
  expect(await seen("q=priya")).toEqual([]);
  expect(told.filter(({ href }) => href !== null)).toEqual([]);
  expect((await listSubmissions(ctx.db)).map(({ id }) => id)).toEqual(["sub_other"]);
});
