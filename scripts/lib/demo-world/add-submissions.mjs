import { brand } from "~/content/brand";
import { TERMS_VERSION } from "~/content/legal";
import { VISITOR } from "~/features/audit/model";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { SUBMISSION_STATUS_LABELS } from "~/features/submissions/labels";
import { submissionNameKey, submissionSearchText } from "~/features/submissions/model";
import { replyDueAt } from "~/features/submissions/reply-target";
import { submissionSubject } from "~/features/submissions/subject";
import { dayIn, days, hours, minutes } from "~/lib/time";
import { keyedHash } from "~/platform/crypto.server";
import { estimates, heldSubmissions, NOTES, submissions } from "./submissions.mjs";

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
  const { firstName, lastName, company, message, moderationReason } = sent;
  const email = `${firstName.toLowerCase()}@${sent.domain}.example`;
  const choice = estimates[sent.domain];
  const [source, campaign] = choice ? ["/pricing", null] : ORIGINS[number % ORIGINS.length];
  const submission = { id: world.newId("sub", at), name: `${firstName} ${lastName}`, at, daysAgo: sent.daysAgo };
  // Held submissions wait as they came.
  const course = moderationReason ? null : followUp(world, staff, submission);
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
    held_reason: moderationReason,
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
  world.audit(at, VISITOR, "submission.received", subject, moderationReason ? { held: moderationReason } : {});
  if (!moderationReason) world.live(at, "new_submission", subject, submission.name, null);
  for (const [table, row] of course?.rows ?? []) world.insert(table, row);
}

/**
 * Sets the age, in days, at which submissions have been answered; the next one, at which they have been dealt with.
 * Some are earlier, some later.
 */
const ANSWERED_AFTER = 3;
const RESOLVED_AFTER = 16;

/**
 * Returns what staff did about a submission: who took it, when its status moved, what they noted. The result has its
 * columns and, as `[table, row]`, the rows that refer to it and must be written after it.
 */
function followUp(world, staff, submission) {
  const { random, now } = world;
  const owner = random.next() < 0.75 ? staff[0] : staff[1];
  const moves = movesOf(world, submission);
  const rows = [];
  let from = "new";
  for (const { at, to } of moves) {
    const names = { actor_id: owner.id, actor_name: owner.name, at };
    const move = {
      id: world.newId("sev", at),
      submission_id: submission.id,
      from_status: from,
      to_status: to,
      ...names,
    };
    rows.push(["submission_events", move]);
    world.audit(at, owner, "submission.status_changed", submissionSubject(submission), { from, to });
    world.live(
      at,
      "status_update",
      submissionSubject(submission),
      `${submission.name}: ${SUBMISSION_STATUS_LABELS[to]}`,
      owner.id,
    );
    from = to;
  }
  const answeredAt = moves[0]?.at;
  if (!answeredAt) return { status: "new", updatedAt: submission.at, version: 1, owner: null, followUpOn: null, rows };

  const isOpen = from === "contacted";
  const followUpOn = isOpen && random.next() < 0.5 ? dayIn(brand.timeZone, now + days(random.between(-1, 6))) : null;
  rows.push(["submission_assignments", assignment(world, submission, owner, answeredAt, followUpOn)]);
  for (let count = random.between(0, 2); count > 0; count -= 1) {
    const at = Math.min(answeredAt + minutes(random.between(5, 2_000)), now - minutes(1));
    rows.push(["admin_notes", note(world, submission, owner, at)]);
  }
  return { status: from, updatedAt: moves.at(-1).at, version: 2, owner, followUpOn, rows };
}

/**
 * Returns when a submission was answered and dealt with. Answers take minutes to a day, the rest days; nothing is in
 * the future.
 */
function movesOf({ random, now }, { daysAgo, at }) {
  const answered = at + minutes(random.between(12, 240)) + (random.next() < 0.3 ? hours(random.between(6, 22)) : 0);
  const resolved = answered + hours(random.between(20, 260));
  const isAnswered = daysAgo > ANSWERED_AFTER * (0.4 + random.next() * 1.6);
  const isResolved = daysAgo > RESOLVED_AFTER * (0.6 + random.next() * 1.8);
  const moves = [];
  if (isAnswered) moves.push({ at: answered, to: "contacted" });
  if (isAnswered && isResolved) moves.push({ at: resolved, to: "resolved" });
  return moves.filter((move) => move.at < now);
}

function assignment(world, submission, owner, at, followUpOn) {
  const facts = { owner: owner.name, ...(followUpOn ? { follow_up_on: followUpOn } : {}) };
  world.audit(at, owner, "submission.assigned", submissionSubject(submission), facts);
  return {
    id: world.newId("sas", at),
    submission_id: submission.id,
    owner_name: owner.name,
    follow_up_on: followUpOn,
    actor_id: owner.id,
    actor_name: owner.name,
    at,
  };
}

function note(world, submission, author, at) {
  const id = world.newId("note", at);
  world.audit(at, author, "note.added", submissionSubject(submission), { note: id });
  world.live(at, "new_note", submissionSubject(submission), submission.name, author.id);
  const about = { subject_type: "submission", subject_id: submission.id };
  const written = { admin_user_id: author.id, author_name: author.name, note: world.random.pick(NOTES) };
  return { id, created_at: at, updated_at: at, ...about, ...written };
}
