import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { countActivity } from "~/features/audit/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { databaseBefore } from "../../support/earlier-database";

test("security events from before the migration are counted apart, and so are those after it", async () => {
  const database = await databaseBefore("0013");
  const actions = ["session.started", "mfa.enabled", "note.added"];
  for (const action of actions) {
    await database.insert("audit_events", {
      at: 1,
      actor_id: "usr_1",
      actor_role: "admin",
      action,
      subject_type: "user",
    });
  }
  const ctx = await database.migrate();
  const withoutSecurity = () => countActivity(ctx.db, ctx.now(), { withSecurity: false });
  expect(await withoutSecurity()).toMatchObject({ all: 1, people: 1 });
  const subject = { type: "user", id: "usr_1", label: null } as const;
  await commit(ctx.db, [recordAudit(ctx, "session.ended", { subject }), recordAudit(ctx, "note.edited", { subject })]);
  expect(await withoutSecurity()).toMatchObject({ all: 2, people: 1 });
  expect(await countActivity(ctx.db, ctx.now())).toMatchObject({ all: 5, people: 3 });
});
