import { brand } from "~/content/brand";
import { TERMS_VERSION } from "~/content/legal";
import { VISITOR } from "~/features/audit/model";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { submissionNameKey, submissionSearchText } from "~/features/submissions/model";
import { replyDueAt } from "~/features/submissions/reply-target";
import { submissionSubject } from "~/features/submissions/subject";
import { dayIn, days } from "~/lib/time";
import { keyedHash } from "~/platform/crypto.server";
import { followUp } from "./follow-up.mjs";
import { estimates, heldSubmissions, submissions } from "./submissions.mjs";

/** Writes the submissions with the numbers the form would have given them, and what became of each. */
export function addSubmissions(world, people) {
  const staff = [people.get("tech@wrenfield.example"), people.get("admin@wrenfield.example")];
  const oldestFirst = [...submissions, ...heldSubmissions].sort((left, right) => right.daysAgo - left.daysAgo);
  const { value: last } = world.database.prepare("select value from counters where name = 'submission'").get();
  oldestFirst.forEach((sent, index) => {
    addSubmission(world, staff, sent, last + 1 + index);
  });
  world.database.prepare("update counters set value = ? where name = 'submission'").run(last + oldestFirst.length);
}

/** Lists origins of visitors: source and campaign. */
const ORIGINS = [
  [null, null],
  ["google", "dental-it"],
  ["/services/managed-it", null],
  [null, null],
  ["www.bing.com", null],
];

function addSubmission(world, staff, sent, number) {
  const { random } = world;
  const at = world.now - Math.round(sent.daysAgo * days(1));
  const { firstName, lastName, company, message, heldReason } = sent;
  const email = `${firstName.toLowerCase()}@${sent.domain}.example`;
  const choice = estimates[sent.domain];
  const [source, campaign] = choice ? ["/pricing", null] : ORIGINS[number % ORIGINS.length];
  const submission = { id: world.newId("sub", at), name: `${firstName} ${lastName}`, at, daysAgo: sent.daysAgo };
  // Held submissions wait as they came.
  const course = heldReason ? null : followUp(world, staff, submission);
  world.insert("contact_submissions", {
    id: submission.id,
    created_at: at,
    updated_at: course?.updatedAt ?? at,
    version: course?.version ?? 1,
    number,
    first_name: firstName,
    last_name: lastName,
    email,
    phone: random.next() < 0.7 ? `(555) 555-01${String(random.between(0, 99)).padStart(2, "0")}` : null,
    company,
    message,
    status: course?.status ?? "new",
    held_reason: heldReason,
    estimate_json: choice ? JSON.stringify(estimate(defaultPriceList, choice)) : null,
    source,
    campaign,
    reply_due_at: replyDueAt(siteCalendar(DEFAULT_SETTINGS), at),
    consent_at: at,
    consent_terms_version: TERMS_VERSION,
    ip_hash: keyedHash(world.secrets.LOG_HMAC_KEY, "submission-ip", `198.51.100.${random.between(1, 250)}`),
    search_text: submissionSearchText({ firstName, lastName, email, company }),
    name_key: submissionNameKey({ firstName, lastName }),
    submitted_on: dayIn(brand.timeZone, at),
    owner_id: course?.owner?.id ?? null,
    follow_up_on: course?.followUpOn ?? null,
  });
  const subject = submissionSubject(submission);
  world.audit(at, VISITOR, "submission.received", subject, heldReason ? { held: heldReason } : {});
  if (!heldReason) world.live(at, "new_submission", subject, submission.name, null);
  for (const [table, row] of course?.rows ?? []) world.insert(table, row);
}
