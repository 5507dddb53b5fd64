import { expect, test } from "vitest";
import { WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";
import { listSubmissions } from "../../support/submission-list";

test("submissions from before the migration are found as those without an owner, and by a search among them", async () => {
  const database = await databaseBefore("0019");
  await database.insert("users", {
    id: "usr_jordan",
    created_at: WEDNESDAY,
    updated_at: WEDNESDAY,
    email: "jordan@wrenfield.example",
    full_name: "Jordan Vale",
    status: "active",
  });
  const submission = {
    first_name: "Priya",
    last_name: "Natarajan",
    email: "priya@kestrel.example",
    status: "new",
    search_text: "priya natarajan priya@kestrel.example",
    consent_at: WEDNESDAY,
    consent_terms_version: "2026-11-01",
    ip_hash: "",
    created_at: WEDNESDAY,
    updated_at: WEDNESDAY,
  };
  await database.insert("contact_submissions", { ...submission, id: "sub_1", number: 1001 });
  await database.insert("contact_submissions", { ...submission, id: "sub_2", number: 1002, owner_id: "usr_jordan" });
  const { db } = await database.migrate();
  for (const query of ["owner=none", "owner=none&q=natarajan", "owner=none&q=na", "owner=none&status=new"]) {
    const rows = await listSubmissions(db, query);
    expect(
      rows.map(({ number }) => number),
      query,
    ).toEqual(["L-1001"]);
  }
});
