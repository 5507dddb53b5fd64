import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Actor } from "~/access/model";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions } from "~/db/schema/submissions";
import { returnPath } from "~/features/auth/model";
import { EXPORTS, findExport } from "~/features/exports/registry.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as exportFile } from "~/routes/_admin.admin.exports.$file";
import { action as listAction, loader as listLoader } from "~/routes/_admin.admin.submissions._index";
import { action as deleteAction } from "~/routes/_admin.admin.submissions.delete";
import { bulk, flash, staffMember } from "../support/admin-area";
import { derive } from "../support/context";
import { as, makePerson, makeSubmission, PASSWORD } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";

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
