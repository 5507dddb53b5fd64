import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
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
import { issueFormToken } from "~/platform/form-token.server";
import { loader as exportFile } from "~/routes/_admin.admin.exports.$file";
import { action as listAction, loader as listLoader } from "~/routes/_admin.admin.submissions._index";
import { action as recordAction, loader as recordLoader } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as editNote, loader as notePage } from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId";
import { action as deleteNote } from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId_.delete";
import { action as deleteAction } from "~/routes/_admin.admin.submissions.delete";
import { action as viewAction } from "~/routes/_admin.admin.views";
import { bulk, flash, staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { as, makePerson, makeSubmission, PASSWORD, signedInAs } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";

const aboutSubmission = (id: string) => ({ type: "submission" as const, id });

const at = (id: string) => ({ submissionId: id });

test("Not spam in the list of held submissions lets one through and leads back to them", async () => {
  const { ctx, base } = await staffMember("moderator");
  const { id } = await makeSubmission(ctx, { moderationReason: "honeypot" });
  const fields = { intent: "release", id, return_to: "/admin/submissions?view=held" };
  const form_token = issueFormToken(ctx, "submission-list");
  const response = await listAction(args(ctx, post("/admin/submissions", { ...fields, form_token }), {}));
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
  const fields = {
    form_token: issueFormToken(ctx, "submission-list"),
    intent: "bulk-release",
    scope: "selected",
    return_to: "/admin/submissions?view=held",
  };
  const rows = [`${first.id}.1`, `${second.id}.4`, "sub_unknown.1"];
  const response = await listAction(args(ctx, bulk("/admin/submissions", fields, rows), {}));
  expect(response.headers.get("Location")).toBe("/admin/submissions?view=held#result");
  expect(flash(base)).toBe(
    "Bulk Release Complete: Released 1 submission. Its mails are queued. 1 skipped: changed since you opened the list.",
  );
  expect(await findSubmission(ctx.db, first.id)).toMatchObject({ moderationReason: null });
  expect(await findSubmission(ctx.db, second.id)).toMatchObject({ moderationReason: "over_cap" });
  const rejected = await listAction(args(ctx, bulk("/admin/submissions", fields, []), {}));
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
  const fields = {
    form_token: issueFormToken(ctx, "submission-list"),
    intent: "bulk-release",
    scope: "all",
    query: "view=held&q=bulkrelease",
    read_at: String(ctx.now()),
  };
  await listAction(args(ctx, bulk("/admin/submissions", fields, []), {}));
  expect(flash(base)).toBe("Bulk Release Complete: Released 2 submissions. Their mails are queued.");
  for (const { id } of made) expect(await findSubmission(ctx.db, id)).toMatchObject({ moderationReason: null });
  expect(await findSubmission(ctx.db, other.id)).toMatchObject({ moderationReason: "content" });
  expect(await findSubmission(ctx.db, plain.id)).toMatchObject({ version: 1 });
});

test("a bulk change without a choice says so and changes nothing, and what was selected stays selected", async () => {
  const { ctx } = await staffMember();
  const fields = {
    form_token: issueFormToken(ctx, "submission-list"),
    intent: "bulk-status",
    status: "resolved",
    scope: "selected",
  };
  const nothing = await listAction(args(ctx, bulk("/admin/submissions", fields, ["' or 1=1", "sub_x"]), {}));
  expect(nothing.status).toBe(400);
  expect(await nothing.json()).toMatchObject({ rejection: "Select at least one submission first." });
  const { id } = await makeSubmission(ctx);
  const stale = await listAction(
    args(ctx, bulk("/admin/submissions", { ...fields, form_token: "old" }, [`${id}.1`]), {}),
  );
  expect(stale.status).toBe(400);
  expect(await stale.json()).toEqual({ rejection: FORM_TOO_OLD, rows: [`${id}.1`] });
  const rows = Array.from({ length: 501 }, (_, index) => `sub_${index}.1`);
  const tooMany = await listAction(args(ctx, bulk("/admin/submissions", fields, rows), {}));
  expect([tooMany.status, await tooMany.json()]).toEqual([400, { rejection: "Failed to update submissions", rows }]);
  const neither = await listAction(args(ctx, bulk("/admin/submissions", { ...fields, status: "" }, []), {}));
  expect(await neither.json()).toMatchObject({ rejection: "Select at least one submission first." });
  const unset = await listAction(args(ctx, bulk("/admin/submissions", { ...fields, status: "" }, [`${id}.1`]), {}));
  expect(await unset.json()).toEqual({ rejection: "Choose a status first.", rows: [`${id}.1`] });
  const row = { ...fields, intent: "status", id: "sub_unknown" };
  expect((await listAction(args(ctx, post("/admin/submissions", row), {}))).status).toBe(400);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});

test("a bulk change says how many it moved and how many it left alone", async () => {
  const { ctx, base } = await staffMember();
  const [first, second] = [await makeSubmission(ctx), await makeSubmission(ctx)];
  const fields = {
    form_token: issueFormToken(ctx, "submission-list"),
    intent: "bulk-status",
    status: "contacted",
    scope: "selected",
  };
  await listAction(
    args(ctx, bulk("/admin/submissions", fields, [`${first.id}.1`, `${second.id}.7`, "sub_unknown.1"]), {}),
  );
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
  const fields = { intent: "bulk-status", status: "resolved", scope: "all", query: "q=bulk+matching", read_at };
  await listAction(
    args(ctx, post("/admin/submissions", { ...fields, form_token: issueFormToken(ctx, "submission-list") }), {}),
  );
  expect(flash(base)).toContain("Updated 1 submission to resolved status.");
  expect(await findSubmission(ctx.db, early.id)).toMatchObject({ status: "resolved" });
  expect(await findSubmission(ctx.db, late.id)).toMatchObject({ status: "new" });
});

test("a note without words comes back with its sentence, and an unknown form changes nothing", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const empty = post(`/admin/submissions/${id}`, {
    form_token: issueFormToken(ctx, "submission-note"),
    intent: "note",
    note: " ",
  });
  const rejected = await recordAction(args(ctx, empty, at(id)));
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({
    title: "Failed to add note",
    errors: { note: "Note text is required" },
  });
  expect(await listNotes(ctx.db, aboutSubmission(id))).toEqual([]);
});

test("two editors of one note: the second is shown both texts and may overwrite or discard", async () => {
  const { ctx, person, base } = await staffMember("moderator");
  const { id } = await makeSubmission(ctx);
  await addNote(ctx, signedInAs(person, base.now()), {
    subject: aboutSubmission(id),
    note: "First",
    nonce: crypto.randomUUID(),
  });
  const noteId = (await listNotes(ctx.db, aboutSubmission(id)))[0]?.id ?? "";
  const params = { submissionId: id, noteId };
  const path = `/admin/submissions/${id}/notes/${noteId}`;
  const save = (note: string, version: string) =>
    editNote(args(ctx, post(path, { form_token: issueFormToken(ctx, "note-edit"), note, version }), params));
  expect((await save("Second", "1")).status).toBe(303);
  const conflict = await save("Mine", "1");
  expect(conflict.status).toBe(409);
  expect(await conflict.json()).toMatchObject({ values: { note: "Mine" }, isConflict: true });
  const shown = await (await notePage(args(ctx, get(path), params))).json();
  expect(shown.note).toMatchObject({ text: "Second", version: 2 });
  expect((await save("Mine", "2")).status).toBe(303);
  expect(await listNotes(ctx.db, aboutSubmission(id))).toMatchObject([{ text: "Mine", edited: true }]);
});

test("the note of somebody else is neither edited nor, by a technician, deleted", async () => {
  const { ctx, person, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  await addNote(ctx, signedInAs(person, base.now()), {
    subject: aboutSubmission(id),
    note: "Mine",
    nonce: crypto.randomUUID(),
  });
  const noteId = (await listNotes(ctx.db, aboutSubmission(id)))[0]?.id ?? "";
  const params = { submissionId: id, noteId };
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect((await thrownBy(notePage(args(technician, get("/admin"), params)))).status).toBe(404);
  const form_token = issueFormToken(technician, "note-delete");
  const deletion = deleteNote(args(technician, post("/admin", { form_token }), params));
  expect((await thrownBy(deletion)).status).toBe(404);
  const { conversation } = await (await recordLoader(args(technician, get("/admin"), at(id)))).json();
  expect(conversation.entries).toMatchObject([{ kind: "note", mayEdit: false, mayDelete: false }]);
});

test("a view is kept under its name, shared ones are everybody's, and only the owner takes one away", async () => {
  const { ctx, base } = await staffMember();
  const save = (name: string, shared: Record<string, string>) =>
    viewAction(
      args(
        ctx,
        post("/admin/views", {
          form_token: issueFormToken(ctx, "saved-view"),
          intent: "save",
          list: "submissions",
          name,
          query: "status=new",
          ...shared,
        }),
        {},
      ),
    );
  await save("Just me", {});
  base.clock.advance(minutes(1));
  await save("All of us", { shared: "on" });
  await save(" ", {});
  const viewsOf = async (who: TestContext) =>
    (await (await listLoader(args(who, get("/admin/submissions"), {}))).json()).views ?? [];
  const mine = await viewsOf(ctx);
  expect(mine.map(({ name }) => name)).toEqual(["Just me", "All of us"]);
  const other = as(base, await makePerson(base, { role: "moderator" }));
  expect(await viewsOf(other)).toMatchObject([{ name: "All of us", shared: true, mine: false }]);
  const remove = (who: TestContext) =>
    viewAction(
      args(
        who,
        post("/admin/views", {
          form_token: issueFormToken(who, "saved-view"),
          intent: "delete",
          id: mine[1]?.id ?? "",
        }),
        {},
      ),
    );
  await remove(other);
  expect(await viewsOf(ctx)).toHaveLength(2);
  await remove(ctx);
  expect(await viewsOf(ctx)).toHaveLength(1);
});

test("only an admin deletes, asked first, and asked who they are when that is long ago", async () => {
  const { ctx, base } = await staffMember();
  const submission = await makeSubmission(ctx);
  const row = `${submission.id}.1`;
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect(
    (await thrownBy(deleteAction(args(technician, bulk("/admin/submissions/delete", {}, [row]), {})))).status,
  ).toBe(403);

  const choose = { form_token: issueFormToken(ctx, "submission-list"), intent: "choose", scope: "selected" };
  const asked = await listAction(args(ctx, bulk("/admin/submissions", choose, [row]), {}));
  expect([asked.status, asked.headers.get("Location")]).toEqual([307, "/admin/submissions/delete"]);
  const nobody = await listAction(args(ctx, bulk("/admin/submissions", choose, []), {}));
  expect(nobody.status).toBe(400);
  expect((await thrownBy(listAction(args(technician, bulk("/admin/submissions", choose, [row]), {})))).status).toBe(
    403,
  );
  const question = await (await deleteAction(args(ctx, bulk("/admin/submissions/delete", choose, [row]), {}))).json();
  expect(question).toMatchObject({ rows: [row], names: ["Priya Raman"], identity: null });

  base.clock.advance(minutes(11));
  const answer = { form_token: question.token, intent: "delete", current_password: "", code: "", method: "totp" };
  const rejected = await deleteAction(args(ctx, bulk("/admin/submissions/delete", answer, [row]), {}));
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({
    identity: { mfaEnabled: true, method: "totp" },
    validationError: { title: "Verification Required", errors: { current_password: expect.any(String) } },
  });
  const wrong = await deleteAction(
    args(ctx, bulk("/admin/submissions/delete", { ...answer, current_password: PASSWORD, code: "000000" }, [row]), {}),
  );
  expect(wrong.status).toBe(400);
  const other = { ...answer, intent: "other_method" };
  const turned = await deleteAction(args(ctx, bulk("/admin/submissions/delete", other, [row]), {}));
  expect(await turned.json()).toMatchObject({ rows: [row], identity: { method: "backup" }, validationError: null });
  expect(await findSubmission(ctx.db, submission.id)).not.toBeNull();

  const fresh = derive(ctx, {
    signedIn: ctx.signedIn && { ...ctx.signedIn, reauthAt: base.now() },
  });
  const done = await deleteAction(args(fresh, bulk("/admin/submissions/delete", answer, [row]), {}));
  expect(done.status).toBe(303);
  expect(flash(base)).toBe("Bulk Delete Complete: Deleted 1 submission.");
  expect(await findSubmission(ctx.db, submission.id)).toBeNull();
});

test("a file holds exactly what the filter shows, harmless to a spreadsheet, and the audit knows how much left", async () => {
  const { ctx } = await staffMember();
  const made = await makeSubmission(ctx, { firstName: "=cmd()", company: 'Export "Only" Ltd', email: "e@x.example" });
  await ctx.db
    .update(contactSubmissions)
    .set({ source: "search", campaign: "+winter" })
    .where(eq(contactSubmissions.id, made.id));
  await makeSubmission(ctx, { moderationReason: "content", company: "Export Only held" });
  const path = "/admin/exports/submissions.csv?q=export+%22only";
  const response = await exportFile(args(ctx, get(path), { file: "submissions.csv" }));
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
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "submission.exported"));
  expect(events.map(({ meta_json }) => JSON.parse(meta_json ?? ""))).toEqual([{ rows: 1, complete: true }]);
});

test("an export is longer than what is read at a time, in pages without a gap", async () => {
  const { ctx } = await staffMember();
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text)
    SELECT 'sub_long' || i, 1 + i / 3, 1, 800000 + i, 'Long', 'Export', 'a@b.example', 'new', 1, 1, 'x', 'x', 'longexport' FROM n`);
  for (const query of [
    "q=longexport",
    "q=longexport&status=new",
    "q=longexport&sort=oldest",
    "status=new&to=1970-01-05",
  ]) {
    const response = await exportFile(
      args(ctx, get(`/admin/exports/submissions.csv?${query}`), { file: "submissions.csv" }),
    );
    const lines = (await response.text()).trimEnd().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => line.split(",")[0])).size, query).toBe(1_200);
  }
});

test("a file that breaks off is not taken for a whole one, and the audit knows how much left", async () => {
  const { ctx } = await staffMember();
  let reads = 0;
  const all = (query: Parameters<typeof ctx.db.all>[0]) => {
    reads += 1;
    return reads > 2 ? Promise.reject(new Error("D1 does not respond")) : ctx.db.all(query);
  };
  const path = "/admin/exports/submissions.csv?q=longexport";
  const broken = derive(ctx, { db: { ...ctx.db, all: all as unknown as typeof ctx.db.all } });
  const response = await exportFile(args(broken, get(path), { file: "submissions.csv" }));
  await expect(response.text()).rejects.toThrow();
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "submission.exported"));
  const facts = events.map(({ meta_json }) => JSON.parse(meta_json ?? ""));
  expect(facts.filter(({ complete }) => !complete)).toEqual([{ rows: 500, complete: false }]);
});

test("where its first rows cannot be read the list says that the export failed, and no file comes", async () => {
  const { ctx, base } = await staffMember();
  let reads = 0;
  const all = (query: Parameters<typeof ctx.db.all>[0]) => {
    reads += 1;
    return reads > 1 ? Promise.reject(new Error("D1 does not respond")) : ctx.db.all(query);
  };
  const path = "/admin/exports/submissions.csv?q=longexport&ids=sub_long1";
  const broken = derive(ctx, { db: { ...ctx.db, all: all as unknown as typeof ctx.db.all }, log: () => undefined });
  const response = await exportFile(args(broken, get(path), { file: "submissions.csv" }));
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/admin/submissions?q=longexport"]);
  expect(flash(base)).toBe("Export Failed: Failed to export data");
});

test("a file of thousands reads each of them once", async () => {
  const { ctx } = await staffMember();
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text, name_key)
    SELECT 'sub_once' || i, i / 3, 1, 850000 + i, 'Once', 'Read', 'a@b.example', 'new', 1, 1, 'x', 'x', 'once', 'n' || i % 9 FROM n`);
  for (const query of ["", "sort=name", "sort=status_desc", "status=new"]) {
    Object.assign(ctx.cost, { rowsRead: 0 });
    const path = `/admin/exports/submissions.csv?${query}`;
    const response = await exportFile(args(ctx, get(path), { file: "submissions.csv" }));
    const rows = (await response.text()).trimEnd().split("\r\n").length - 1;
    expect(rows).toBeGreaterThanOrEqual(4_000);
    expect(ctx.cost.rowsRead, query).toBeLessThanOrEqual(rows * 1.01);
  }
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
  const file = { file: "submissions.csv" };
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect((await thrownBy(exportFile(args(technician, get("/admin/exports/submissions.csv"), file)))).status).toBe(403);
  expect((await thrownBy(exportFile(args(ctx, get("/admin/exports/x.csv"), { file: "constructor" })))).status).toBe(
    404,
  );
  base.clock.advance(minutes(11));
  const response = await exportFile(args(ctx, get("/admin/exports/submissions.csv?status=new"), file));
  expect(response.headers.get("Location")).toBe(
    `/profile/confirm?redirectTo=${encodeURIComponent("/admin/submissions?status=new&export=ready")}`,
  );
});

test("selected rows become a file, and a selection of none is an error", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const fields = { intent: "export", scope: "selected" };
  const selected = await listAction(args(ctx, bulk("/admin/submissions", fields, [`${id}.1`]), {}));
  expect(selected.headers.get("Location")).toBe(`/admin/exports/submissions.csv?ids=${id}`);
  const none = await listAction(args(ctx, bulk("/admin/submissions", fields, []), {}));
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
    const asked = await exportFile(args(ctx, get(path), { file: "submissions.csv" }));
    const [, wanted] = (asked.headers.get("Location") ?? "").split("redirectTo=");
    const back = returnPath(decodeURIComponent(wanted ?? ""));
    expect((await (await listLoader(args(ctx, get(back ?? "")))).json()).file).toMatchObject({ to: path, content });
  }
  expect((await (await listLoader(args(ctx, get("/admin/submissions?status=new")))).json()).file).toBeNull();
});
