import { expect, test } from "vitest";
import { sealAudit } from "~/features/audit/chain/seal-audit.server";
import { verifyAudit } from "~/features/audit/chain/verify-audit.server";
import { databaseBefore } from "../../support/earlier-database";

test("events from before the migration are kept, sealed in their order and verified", async () => {
  const database = await databaseBefore("0012");
  for (const [at, action] of ["session.started", "note.added", "session.ended"].entries()) {
    await database.insert("audit_events", { at, actor_role: "admin", action, subject_type: "user", search_text: "" });
  }
  const before = await database.all("SELECT * FROM audit_events ORDER BY id");
  const ctx = await database.migrate();
  expect(await database.all("SELECT * FROM audit_events ORDER BY id")).toEqual(before);
  expect(await sealAudit(ctx)).toEqual({ count: 3, more: false });
  expect(await verifyAudit(ctx)).toEqual({ count: 3, more: false });
});
