import { expect, test } from "vitest";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { readFeed } from "../../support/activity";
import { databaseBefore } from "../../support/earlier-database";

test("events from before the migration are found by the words that the screen has for them now", async () => {
  const database = await databaseBefore("0016");
  const avery = { actor_id: "usr_1", actor_role: "admin", actor_name: "Avery Quinn", actor_email: "avery@a.example" };
  const about = { subject_type: "submission", subject_id: "sub_1", subject_label: "Tessa Lindqvist" };
  await database.insert("audit_events", {
    at: 1,
    actor_role: "visitor",
    action: "submission.received",
    ...about,
    meta_json: JSON.stringify({ held: "honeypot" }),
    search_text: "tessa lindqvist\nsent a submission held: honeypot\n",
  });
  await database.insert("audit_events", {
    at: 2,
    ...avery,
    action: "submission.assigned",
    ...about,
    meta_json: JSON.stringify({ owner: "Avery Quinn", follow_up_on: "2026-11-24" }),
    search_text:
      "tessa lindqvist\nassigned a submission owner avery quinn, follow up on 2026-11-24\navery quinn avery@a.example",
  });
  await database.insert("audit_events", {
    at: 3,
    ...avery,
    action: "session.refused",
    subject_type: "user",
    subject_id: "usr_1",
    subject_label: "Avery Quinn",
    meta_json: JSON.stringify({ reason: "credentials" }),
    search_text: "avery quinn\nwas refused at sign-in credentials\navery quinn avery@a.example",
  });
  const ctx = await database.migrate();
  const { count, more } = await rewordAudit(ctx);
  expect({ count, more }).toEqual({ count: 3, more: false });

  const found = async (q: string) => {
    const { entries } = await readFeed(ctx.db, `${new URLSearchParams({ q })}`);
    return entries.map(({ sentence, details }) => [sentence, details].filter(Boolean).join(" / "));
  };
  const held = "Tessa Lindqvist: held (hidden field filled in)";
  const assigned = "Avery Quinn changed owner or follow-up / Tessa Lindqvist: follow up Nov 24";
  const failed = "Sign-in failed: wrong password / Avery Quinn";
  expect(await found("held (hidden field filled in)")).toEqual([held]);
  expect(await found("sent a request")).toEqual([held]);
  expect(await found("Avery Quinn changed owner or follow-up")).toEqual([assigned]);
  expect(await found("follow up Nov 24")).toEqual([assigned]);
  expect(await found("Sign-in failed: wrong password")).toEqual([failed]);
  expect(await found("tessa lindqvist")).toEqual([assigned, held]);
  expect(await found("avery@a.example")).toEqual([failed, assigned]);
  for (const former of ["honeypot", "assigned a submission", "was refused"]) expect(await found(former)).toEqual([]);
});
