import { expect, test } from "vitest";
import { actionLabel, activityEntry, detailsText, type StoredActivity } from "~/features/audit/activity/activity-entry";
import { AUDIT_ACTIONS } from "~/features/audit/model";

/** Returns an event by Avery Quinn about Priya Raman's submission. */
function stored(action: string, changes: Partial<StoredActivity> & { meta?: object } = {}): StoredActivity {
  const { meta = {}, ...columns } = changes;
  return {
    id: 1,
    at: 0,
    action,
    activity_type: "submission",
    actor_id: "usr_avery",
    actor_name: "Avery Quinn",
    actor_email: "avery@wrenfield.example",
    subject_type: "submission",
    subject_id: "sub_1",
    subject_label: "Priya Raman",
    meta_json: JSON.stringify(meta),
    ...columns,
  };
}

const nobody = { actor_id: null, actor_name: null, actor_email: null };
const ownAccount = { subject_type: "user", subject_id: "usr_avery", subject_label: "Avery Quinn" };
const unknownAccount = { ...nobody, subject_type: "user", subject_id: null, subject_label: null };

const lineOf = (row: StoredActivity) => {
  const { sentence, details } = activityEntry(row, () => null);
  return [sentence, details];
};

test.each([
  ["submission.received", { ...nobody, subject_label: "Tessa Lindqvist" }, "Tessa Lindqvist sent a request", ""],
  ["submission.received", { ...nobody, subject_label: null }, "A visitor sent a request", ""],
  [
    "submission.received",
    { ...nobody, subject_label: "John Smith", meta: { held: "honeypot" } },
    "John Smith: held (hidden field filled in)",
    "",
  ],
  [
    "submission.released",
    { meta: { held: "too_many" } },
    "Avery Quinn released a submission from review",
    "Priya Raman: held (many submissions from one address)",
  ],
  [
    "submission.assigned",
    { meta: { owner: "Avery Quinn", follow_up_on: "2026-11-24", both: true } },
    "Avery Quinn took this",
    "Priya Raman: follow up Nov 24",
  ],
  // As events of former versions are: nobody can tell which of the two was changed.
  [
    "submission.assigned",
    { meta: { owner: "Avery Quinn", follow_up_on: "2026-11-24" } },
    "Avery Quinn changed owner or follow-up",
    "Priya Raman: follow up Nov 24",
  ],
  ["submission.assigned", { meta: { owner: "Jordan Vale" } }, "Avery Quinn assigned it to Jordan Vale", "Priya Raman"],
  ["submission.assigned", { meta: { owner: null } }, "Avery Quinn removed the owner", "Priya Raman"],
  [
    "submission.assigned",
    { meta: { follow_up_on: "2026-11-24" } },
    "Avery Quinn set the follow-up",
    "Priya Raman: follow up Nov 24",
  ],
  ["submission.assigned", { meta: { follow_up_on: null } }, "Avery Quinn removed the follow-up", "Priya Raman"],
  [
    "submission.assigned",
    { meta: { owner: null, follow_up_on: null } },
    "Avery Quinn changed owner or follow-up",
    "Priya Raman",
  ],
  [
    "session.refused",
    { ...ownAccount, meta: { reason: "credentials" } },
    "Sign-in failed: wrong password",
    "Avery Quinn",
  ],
  [
    "session.refused",
    { ...ownAccount, meta: { reason: "wrong_code", repeated: 3 } },
    "Sign-in failed: wrong code",
    "Avery Quinn: 3 more times within the hour",
  ],
  [
    "session.refused",
    { ...unknownAccount, meta: { reason: "credentials" } },
    "Sign-in failed: unknown address or wrong password",
    "",
  ],
  ["session.renewed", ownAccount, "Avery Quinn confirmed their identity", ""],
  [
    "user.password_locked",
    { ...ownAccount, ...nobody },
    "Avery Quinn had password sign-in switched off after 100 failures",
    "",
  ],
  [
    "mfa.recovery_link_made",
    { ...ownAccount, ...nobody },
    "The operator made a recovery link for two-step sign-in",
    "Avery Quinn",
  ],
  ["submission.exported", { subject_label: null, meta: { rows: 1 } }, "Avery Quinn exported submissions", "1 row"],
  [
    "submission.deleted",
    { subject_label: null, meta: { count: 1 } },
    "Avery Quinn deleted submissions",
    "1 submission",
  ],
  ["gone.from_the_list", { subject_label: null }, "Avery Quinn gone from the list", ""],
] as const)("%s reads as people say it: %#", (action, changes, sentence, details) => {
  expect(lineOf(stored(action, changes))).toEqual([sentence, details]);
});

test("the file says what was done and about whom in two cells", () => {
  const row = stored("submission.received", { ...nobody, subject_label: "John Smith", meta: { held: "honeypot" } });
  expect([actionLabel(row), detailsText(row)]).toEqual(["sent a request", "John Smith: held (hidden field filled in)"]);
});

test("no line calls anyone somebody", () => {
  for (const action of AUDIT_ACTIONS) {
    for (const by of [{}, nobody]) expect(lineOf(stored(action, by)).join()).not.toMatch(/somebody|anybody/i);
  }
});
