import { TERMS_VERSION } from "~/content/legal";
import { estimate } from "~/features/pricing/estimate";
import { defaultPrices } from "~/features/pricing/prices";
import { STATUS_LABELS } from "~/features/submissions/copy";
import { days, hours, minutes } from "~/lib/time";
import { keyedHash } from "~/platform/crypto.server";
import { estimates, heldRequests, requests } from "./submissions.mjs";

/** Requests older than this have been answered, older than the next have been dealt with; some earlier, some later. */
const ANSWERED_AFTER = 3;
const RESOLVED_AFTER = 16;

/** Writes the requests with the numbers the form would have given them, and what became of each. */
export function addSubmissions(world, people) {
  const staff = [people.get("tech@wrenfield.example"), people.get("admin@wrenfield.example")];
  const oldestFirst = [...requests, ...heldRequests].sort((left, right) => right.daysAgo - left.daysAgo);
  const { value: last } = world.database.prepare("select value from counters where name = 'submission'").get();
  oldestFirst.forEach((request, place) => {
    addSubmission(world, staff, request, last + 1 + place);
  });
  world.database.prepare("update counters set value = ? where name = 'submission'").run(last + oldestFirst.length);
}

function addSubmission(world, staff, request, number) {
  const { random, now } = world;
  const at = now - Math.round(request.daysAgo * days(1));
  const id = world.newId("sub", at);
  const moves = request.heldReason ? [] : movesOf(world, request.daysAgo, at);
  const status = moves.at(-1)?.to ?? "new";
  const name = `${request.firstName} ${request.lastName}`;
  const choice = estimates[request.domain];
  world.insert("contact_submissions", {
    id,
    created_at: at,
    updated_at: moves.at(-1)?.at ?? at,
    version: 1 + moves.length,
    number,
    first_name: request.firstName,
    last_name: request.lastName,
    email: `${request.firstName.toLowerCase()}@${request.domain}.example`,
    phone: random.next() < 0.7 ? `(555) 555-01${String(random.between(0, 99)).padStart(2, "0")}` : null,
    company: request.company,
    message: request.message,
    status,
    held_reason: request.heldReason,
    estimate_json: choice ? JSON.stringify(estimate(defaultPrices, choice)) : null,
    consent_at: at,
    consent_terms_version: TERMS_VERSION,
    ip_hash: keyedHash(world.secrets.LOG_HMAC_KEY, "submission-ip", `198.51.100.${random.between(1, 250)}`),
  });
  record(
    world,
    at,
    { id: null, role: "visitor" },
    "submission.received",
    id,
    request.heldReason && { held: request.heldReason },
  );
  if (request.heldReason) return;
  live(world, at, "new_submission", id, name, null);
  let from = "new";
  for (const move of moves) {
    const actor = random.next() < 0.75 ? staff[0] : staff[1];
    world.insert("submission_events", {
      id: world.newId("sev", move.at),
      submission_id: id,
      from_status: from,
      to_status: move.to,
      actor_id: actor.id,
      actor_name: actor.name,
      at: move.at,
    });
    record(world, move.at, actor, "submission.status_changed", id, { from, to: move.to });
    live(world, move.at, "status_update", id, `${name}: ${STATUS_LABELS[move.to]}`, actor.id);
    from = move.to;
  }
}

/** When a request was answered and dealt with. Answers take minutes to a day, the rest days; nothing is in the future. */
function movesOf({ random, now }, daysAgo, at) {
  const answered = at + minutes(random.between(12, 240)) + (random.next() < 0.3 ? hours(random.between(6, 22)) : 0);
  const resolved = answered + hours(random.between(20, 260));
  const isAnswered = daysAgo > ANSWERED_AFTER * (0.4 + random.next() * 1.6);
  const isResolved = daysAgo > RESOLVED_AFTER * (0.6 + random.next() * 1.8);
  const moves = [];
  if (isAnswered) moves.push({ at: answered, to: "contacted" });
  if (isAnswered && isResolved) moves.push({ at: resolved, to: "resolved" });
  return moves.filter((move) => move.at < now);
}

function record(world, at, actor, action, submissionId, details = null) {
  world.happened("audit_events", at, {
    at,
    actor_id: actor.id,
    actor_role: actor.role,
    action,
    object_type: "submission",
    object_id: submissionId,
    meta_json: details ? JSON.stringify(details) : null,
  });
}

function live(world, at, type, submissionId, label, actorId) {
  world.happened("live_events", at, { audience: "staff", type, object_id: submissionId, label, actor_id: actorId, at });
}
