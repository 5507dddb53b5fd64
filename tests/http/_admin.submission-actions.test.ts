import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Actor } from "~/access/model";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions } from "~/db/schema/submissions";
import { returnPath } from "~/features/auth/model";
import { EXPORTS, findExport } from "~/features/exports/registry.server";
import { addNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { minutes } from "~/lib/time";
import * as exportRoute from "~/routes/_admin.admin.exports.$file";
import * as listRoute from "~/routes/_admin.admin.submissions._index";
import * as recordRoute from "~/routes/_admin.admin.submissions.$submissionId";
import * as noteRoute from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId";
import * as noteDeleteRoute from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId_.delete";
import * as deleteRoute from "~/routes/_admin.admin.submissions.delete";
import * as viewsRoute from "~/routes/_admin.admin.views";
import { flash, staffMember, withFreshProof } from "../support/admin-area";
import { derive, type TestContext, testContext } from "../support/context";
import { as, makePerson, makeSubmission, PASSWORD, signedInAs } from "../support/factories";
import { pageAt } from "../support/page";
import { costOf, type Fields, thrownBy } from "../support/requests";

const aboutSubmission = (id: string) => ({ type: "submission" as const, id });

const LIST = "/admin/submissions";
const list = pageAt(LIST, listRoute);
const record = pageAt("/admin/submissions/:submissionId", recordRoute);
const csv = pageAt("/admin/exports/:file", exportRoute);
const deletion = pageAt(`${LIST}/delete`, deleteRoute);
const notePage = pageAt(`${LIST}/:submissionId/notes/:noteId`, noteRoute);
const noteDeletion = pageAt(`${LIST}/:submissionId/notes/:noteId/delete`, noteDeleteRoute);
const views = pageAt("/admin/views", viewsRoute);

const send = (ctx: TestContext, fields: Fields) => list.send(ctx, LIST, "submission-list", fields);

/** What a broken database leaves: the first reads come, the others do not. */
function brokenAfter(ctx: TestContext, allowed: number): TestContext {
  let reads = 0;
  const all = (query: Parameters<typeof ctx.db.all>[0]) => {
    reads += 1;
    return reads > allowed ? Promise.reject(new Error("D1 does not respond")) : ctx.db.all(query);
  };
  return derive(ctx, { db: { ...ctx.db, all: all as unknown as typeof ctx.db.all } });
}

// More than a file reads at a time.
beforeAll(async () => {
  await testContext().db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text, name_key)
    SELECT 'sub_long' || i, 1 + i / 3, 1, 800000 + i, 'Long', 'Export', 'a@b.example', 'new', 1, 1, 'x', 'x', 'longexport',
      'n' || i % 9 FROM n`);
});

test("Not spam in the list of held submissions lets one through and leads back to them", async () => {
  const { ctx, base } = await staffMember("moderator");
  const { id } = await makeSubmission(ctx, { moderationReason: "honeypot" });
  const response = await send(ctx, { intent: "release", id, return_to: "/admin/submissions?view=held" });
  expect(response.headers.get("Location")).toBe("/admin/submissions?view=held#result");
  expect(flash(base)).toBe("Released: The submission is counted now, and its mails are queued.");
  expect(await findSubmission(ctx.db, id)).toMatchObject({ moderationReason: null });
});

test("Not spam for many lets them through, says how many, and is for staff who may release", async () => {
  const { ctx, base } = await staffMember("moderator");
  const [first, second] = [
    await makeSubmission(ctx, { moderationReason: "content" }),
    await makeSubmission(ctx, { moderationReason: "over_cap" }),
  ];
  const release = (row: string[]) =>
    send(ctx, { intent: "bulk-release", scope: "selected", return_to: "/admin/submissions?view=held", row });
  const response = await release([`${first.id}.1`, `${second.id}.4`, "sub_unknown.1"]);
  expect(response.headers.get("Location")).toBe("/admin/submissions?view=held#result");
  expect(flash(base)).toBe(
    "Bulk Release Complete: Released 1 submission. Its mails are queued. 1 skipped: changed since you opened the list.",
  );
  expect(await findSubmission(ctx.db, first.id)).toMatchObject({ moderationReason: null });
  expect(await findSubmission(ctx.db, second.id)).toMatchObject({ moderationReason: "over_cap" });
  const rejected = await release([]);
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({ rejection: "Select at least one submission first.", rows: [] });
});

test("all held submissions that match a search are released, and what is not held is none of them", async () => {
  const { ctx, base } = await staffMember();
  const made = [
    await makeSubmission(ctx, { moderationReason: "content", company: "Bulkrelease Ltd" }),
    await makeSubmission(ctx, { moderationReason: "content", company: "Bulkrelease Inc" }),
  ];
  const other = await makeSubmission(ctx, { moderationReason: "content", company: "Elsewhere" });
  const plain = await makeSubmission(ctx, { company: "Bulkrelease Plain" });
  const query = "view=held&q=bulkrelease";
  await send(ctx, { intent: "bulk-release", scope: "all", query, read_at: String(ctx.now()) });
  expect(flash(base)).toBe("Bulk Release Complete: Released 2 submissions. Their mails are queued.");
  for (const { id } of made) expect(await findSubmission(ctx.db, id)).toMatchObject({ moderationReason: null });
  expect(await findSubmission(ctx.db, other.id)).toMatchObject({ moderationReason: "content" });
  expect(await findSubmission(ctx.db, plain.id)).toMatchObject({ version: 1 });
});

test("a bulk change without a choice says so and changes nothing, and what was selected stays selected", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const move = (row: string[], more: Fields = {}) =>
    send(ctx, { intent: "bulk-status", status: "resolved", scope: "selected", row, ...more });
  const many = Array.from({ length: 501 }, (_, index) => `sub_${index}.1`);
  const none = { rejection: "Select at least one submission first." };
  for (const [answer, says] of [
    [await move(["' or 1=1", "sub_x"]), none],
    [await move([], { status: "" }), none],
    [await move([`${id}.1`], { form_token: "old" }), { rejection: FORM_TOO_OLD, rows: [`${id}.1`] }],
    [await move(many), { rejection: "Failed to update submissions", rows: many }],
    [await move([`${id}.1`], { status: "" }), { rejection: "Choose a status first.", rows: [`${id}.1`] }],
    [await move([], { intent: "status", id: "sub_unknown" }), {}],
  ] as const)
    expect([answer.status, await answer.json()]).toMatchObject([400, says]);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});

test("a bulk change says how many it moved and how many it left alone", async () => {
  const { ctx, base } = await staffMember();
  const [first, second] = [await makeSubmission(ctx), await makeSubmission(ctx)];
  const row = [`${first.id}.1`, `${second.id}.7`, "sub_unknown.1"];
  await send(ctx, { intent: "bulk-status", status: "contacted", scope: "selected", row });
  expect(flash(base)).toBe(
    "Bulk Update Complete: Updated 1 submission to contacted status. 1 skipped: changed since you opened the list.",
  );
});

test("all that match are moved, except what came or changed after the list was read", async () => {
  const { ctx, base } = await staffMember();
  const early = await makeSubmission(ctx, { company: "Bulk Matching" });
  const read_at = String(base.now());
  base.clock.advance(minutes(1));
  const late = await makeSubmission(ctx, { company: "Bulk Matching" });
  await send(ctx, { intent: "bulk-status", status: "resolved", scope: "all", query: "q=bulk+matching", read_at });
  expect(flash(base)).toContain("Updated 1 submission to resolved status.");
  expect(await findSubmission(ctx.db, early.id)).toMatchObject({ status: "resolved" });
  expect(await findSubmission(ctx.db, late.id)).toMatchObject({ status: "new" });
});

test("a note without words comes back with its sentence", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const rejected = await record.send(ctx, `${LIST}/${id}`, "submission-note", { intent: "note", note: " " });
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({
    title: "Failed to add note",
    errors: { note: "Note text is required" },
  });
  expect(await listNotes(ctx.db, aboutSubmission(id))).toEqual([]);
});

test("the note of somebody else is neither edited nor, by a technician, deleted", async () => {
  const { ctx, person, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const note = { subject: aboutSubmission(id), note: "Mine", nonce: crypto.randomUUID() };
  await addNote(ctx, signedInAs(person, base.now()), note);
  const path = `${LIST}/${id}/notes/${(await listNotes(ctx.db, aboutSubmission(id)))[0]?.id}`;
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect((await thrownBy(notePage.open(technician, path))).status).toBe(404);
  expect((await thrownBy(noteDeletion.send(technician, `${path}/delete`, "note-delete"))).status).toBe(404);
  const { conversation } = await record.read(technician, `${LIST}/${id}`);
  expect(conversation.entries).toMatchObject([{ kind: "note", mayEdit: false, mayDelete: false }]);
});

test("two editors of one note: the second is shown both texts and may overwrite or discard", async () => {
  const { ctx, person, base } = await staffMember("moderator");
  const { id } = await makeSubmission(ctx);
  const note = { subject: aboutSubmission(id), note: "First", nonce: crypto.randomUUID() };
  await addNote(ctx, signedInAs(person, base.now()), note);
  const path = `${LIST}/${id}/notes/${(await listNotes(ctx.db, aboutSubmission(id)))[0]?.id}`;
  const save = (note: string, version: string) => notePage.send(ctx, path, "note-edit", { note, version });
  expect((await save("Second", "1")).status).toBe(303);
  const conflict = await save("Mine", "1");
  expect(conflict.status).toBe(409);
  expect(await conflict.json()).toMatchObject({ values: { note: "Mine" }, isConflict: true });
  const shown = await notePage.read(ctx, path);
  expect(shown.note).toMatchObject({ text: "Second", version: 2 });
  expect((await save("Mine", "2")).status).toBe(303);
  expect(await listNotes(ctx.db, aboutSubmission(id))).toMatchObject([{ text: "Mine", edited: true }]);
});

test("a view is kept under its name, shared ones are everybody's, and only the owner takes one away", async () => {
  const { ctx, base } = await staffMember();
  const saved = { intent: "save", list: "submissions", query: "status=new" };
  const save = (name: string, shared: Fields) =>
    views.send(ctx, "/admin/views", "saved-view", { ...saved, name, ...shared });
  await save("Just me", {});
  base.clock.advance(minutes(1));
  await save("All of us", { shared: "on" });
  await save(" ", {});
  const viewsOf = async (who: TestContext) => (await list.read(who)).views ?? [];
  const mine = await viewsOf(ctx);
  expect(mine.map(({ name }) => name)).toEqual(["Just me", "All of us"]);
  const other = as(base, await makePerson(base, { role: "moderator" }));
  expect(await viewsOf(other)).toMatchObject([{ name: "All of us", shared: true, mine: false }]);
  const remove = (who: TestContext) =>
    views.send(who, "/admin/views", "saved-view", { intent: "delete", id: mine[1]?.id ?? "" });
  await remove(other);
  expect(await viewsOf(ctx)).toHaveLength(2);
  await remove(ctx);
  expect(await viewsOf(ctx)).toHaveLength(1);
});

test("only an admin deletes, asked first, and asked who they are when that is long ago", async () => {
  const { ctx, base } = await staffMember();
  const submission = await makeSubmission(ctx);
  const row = [`${submission.id}.1`];
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  const ask = (who: TestContext, fields: Fields) => deletion.post(who, `${LIST}/delete`, { row, ...fields });

  const choose = { intent: "choose", scope: "selected" };
  const asked = await send(ctx, { ...choose, row });
  expect([asked.status, asked.headers.get("Location")]).toEqual([307, "/admin/submissions/delete"]);
  expect((await send(ctx, { ...choose, row: [] })).status).toBe(400);
  expect((await thrownBy(send(technician, { ...choose, row }))).status).toBe(403);
  const question = await (await deletion.send(ctx, `${LIST}/delete`, "submission-list", { ...choose, row })).json();
  expect(question).toMatchObject({ rows: row, names: ["Priya Raman"], identity: null });

  base.clock.advance(minutes(11));
  const answer = { form_token: question.token, intent: "delete", current_password: "", code: "", method: "totp" };
  const rejected = await ask(ctx, answer);
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({
    identity: { mfaEnabled: true, method: "totp" },
    validationError: { title: "Verification Required", errors: { current_password: expect.any(String) } },
  });
  expect((await ask(ctx, { ...answer, current_password: PASSWORD, code: "000000" })).status).toBe(400);
  const turned = await ask(ctx, { ...answer, intent: "other_method" });
  expect(await turned.json()).toMatchObject({ rows: row, identity: { method: "backup" }, validationError: null });
  expect(await findSubmission(ctx.db, submission.id)).not.toBeNull();

  const done = await ask(withFreshProof(ctx), answer);
  expect(done.status).toBe(303);
  expect(flash(base)).toBe("Bulk Delete Complete: Deleted 1 submission.");
  expect(await findSubmission(ctx.db, submission.id)).toBeNull();
});

test("a file holds exactly what the filter shows, harmless to a spreadsheet, and the audit knows how much left", async () => {
  const { ctx, person } = await staffMember();
  const made = await makeSubmission(ctx, { firstName: "=cmd()", company: 'Export "Only" Ltd', email: "e@x.example" });
  await ctx.db
    .update(contactSubmissions)
    .set({ source: "search", campaign: "+winter" })
    .where(eq(contactSubmissions.id, made.id));
  await makeSubmission(ctx, { moderationReason: "content", company: "Export Only held" });
  const path = "/admin/exports/submissions.csv?q=export+%22only";
  const response = await csv.open(ctx, path);
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="submissions-2026-11-18.csv"');
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"Submitted (UTC)","Submitted (site time)"');
  expect(lines[1]).toContain(
    `"'=cmd()","Raman","e@x.example","","Export ""Only"" Ltd","New","2026-11-18T15:00:00.000Z"`,
  );
  expect(lines[0]).toMatch(/,"Message","Source","Campaign"$/);
  expect(lines[1]).toMatch(/,"search","'\+winter"$/);
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
  expect(events.map(({ meta_json }) => JSON.parse(meta_json ?? ""))).toEqual([{ rows: 1, complete: true }]);
});

test("a file is longer than what is read at a time, in pages without a gap, and reads each row once", async () => {
  const { ctx } = await staffMember();
  const linesAt = async (query: string) => {
    let lines: string[] = [];
    const { rows } = await costOf(ctx, async () => {
      const response = await csv.open(ctx, `/admin/exports/submissions.csv?${query}`);
      lines = (await response.text()).trimEnd().split("\r\n").slice(1);
    });
    return { rows, lines: new Set(lines.map((line) => line.split(",")[0])).size };
  };
  for (const query of ["q=longexport", "q=longexport&status=new", "q=longexport&sort=oldest"])
    expect((await linesAt(query)).lines, query).toBe(1_200);
  expect((await linesAt("status=new&to=1970-01-05")).lines).toBe(1_200);
  for (const query of ["", "sort=name", "sort=status_desc", "status=new"]) {
    const { lines, rows } = await linesAt(query);
    expect(lines, query).toBeGreaterThanOrEqual(1_200);
    // What a page reads besides its rows does not grow with them.
    expect(rows, query).toBeLessThanOrEqual(lines + 25);
  }
});

test("a file that breaks off is not taken for a whole one, and the audit knows how much left", async () => {
  const { ctx, person } = await staffMember();
  const response = await csv.open(brokenAfter(ctx, 2), "/admin/exports/submissions.csv?q=longexport");
  await expect(response.text()).rejects.toThrow();
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
  const facts = events.map(({ meta_json }) => JSON.parse(meta_json ?? ""));
  expect(facts).toEqual([{ rows: 500, complete: false }]);
});

test("where its first rows cannot be read the list says that the export failed, and no file comes", async () => {
  const { ctx, base } = await staffMember();
  const path = "/admin/exports/submissions.csv?q=longexport&ids=sub_long1";
  const response = await csv.open(brokenAfter(ctx, 1), path);
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/admin/submissions?q=longexport"]);
  expect(flash(base)).toBe("Export Failed: Failed to export data");
});

test.each([...EXPORTS.keys()])("%s does not exist for somebody who may not open its list", (file) => {
  const stranger: Actor = { userId: "usr_stranger", role: "user", membership: null };
  expect([findExport(stranger, file), findExport(stranger, "nothing.csv")]).toEqual([null, null]);
  expect(findExport({ ...stranger, role: "admin" }, file)).toBe(EXPORTS.get(file));
  // Technicians open every list but those of the users and of their second factors.
  const isOfAdmins = ["users.csv", "mfa-people.csv", "mfa-events.csv"].includes(file);
  const ofTechnicians = isOfAdmins ? null : EXPORTS.get(file);
  expect(findExport({ ...stranger, role: "moderator" }, file)).toBe(ofTechnicians);
});

test("technicians take no file, an old proof is asked for again, and an unknown file is not found", async () => {
  const { ctx, base } = await staffMember();
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect((await thrownBy(csv.open(technician, "/admin/exports/submissions.csv"))).status).toBe(403);
  expect((await thrownBy(csv.open(ctx, "/admin/exports/constructor"))).status).toBe(404);
  base.clock.advance(minutes(11));
  const response = await csv.open(ctx, "/admin/exports/submissions.csv?status=new");
  expect(response.headers.get("Location")).toBe(
    `/profile/confirm?redirectTo=${encodeURIComponent("/admin/submissions?status=new&export=ready")}`,
  );
});

test("selected rows become a file, and a selection of none is an error", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const take = (row: string[]) => list.post(ctx, LIST, { intent: "export", scope: "selected", row });
  const selected = await take([`${id}.1`]);
  expect(selected.headers.get("Location")).toBe(`/admin/exports/submissions.csv?ids=${id}`);
  const none = await take([]);
  expect(none.status).toBe(400);
  expect(await none.json()).toMatchObject({ rejection: "Select at least one submission first." });
});

test("after the proof the list offers the file that was asked for, of a filter or of a hundred selected rows", async () => {
  const { ctx, base } = await staffMember();
  const mark = "Ready-file";
  for (const email of ["one@larkspur.example", "two@larkspur.example"])
    await makeSubmission(ctx, { firstName: mark, email });
  const ids = Array.from({ length: 100 }, () => ctx.newId("sub")).join(",");
  const offered = [
    [`q=${mark}`, "2 submissions"],
    [`ids=${encodeURIComponent(ids)}`, "100 submissions"],
  ] as const;
  for (const [query, content] of offered) {
    base.clock.advance(minutes(11));
    const path = `/admin/exports/submissions.csv?${query}`;
    const asked = await csv.open(ctx, path);
    const [, wanted] = (asked.headers.get("Location") ?? "").split("redirectTo=");
    const back = returnPath(decodeURIComponent(wanted ?? ""));
    expect((await list.read(ctx, back ?? "")).file).toMatchObject({ to: path, content });
  }
  expect((await list.read(ctx, `${LIST}?status=new`)).file).toBeNull();
});
