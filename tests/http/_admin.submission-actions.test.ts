import { expect, test } from "vitest";
import { addNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action as listAction, loader as listLoader } from "~/routes/_admin.admin.submissions._index";
import { action as recordAction, loader as recordLoader } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as editNote, loader as notePage } from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId";
import { action as deleteNote } from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId_.delete";
import { action as viewAction } from "~/routes/_admin.admin.views";
import { bulk, flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../support/factories";
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
