import { sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { counters, totals } from "~/db/schema/infrastructure";
import { contactSubmissions } from "~/db/schema/submissions";
import { attachFile, type StoredFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { Estimate } from "~/features/pricing/estimate";
import { siteCalendar } from "~/features/settings/calendar";
import { getSettings } from "~/features/settings/queries.server";
import type { HeldReason } from "~/lib/held-reason";
import { fail, ok, type Result } from "~/lib/result";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { type AnnouncedSubmission, announceSubmission } from "../announce-submission.server";
import type { ContactInput } from "../forms.server";
import { submissionNameKey, submissionSearchText } from "../model";
import { replyDueAt } from "../reply-target";
import { submissionSubject } from "../subject";
import type { Attribution } from "./attribution";
import { alertOverCap, countReceived, isFlood, isOverCap, receivedCounter } from "./daily-cap.server";
import { CONTACT_SCOPE } from "./receipt.server";

export type NewSubmission = {
  input: ContactInput;
  /** Holds the file that was stored while the form arrived. */
  file: StoredFile | null;
  /** Holds what came along from the pricing page, priced by us. */
  estimate?: Estimate | null;
  /** Tells what led the visitor to the form. */
  attribution?: Attribution;
  /** Names the version of the terms that was agreed to. */
  termsVersion: string;
  /** Holds the nonce of the form token: the same form posted again leads to the same result. */
  nonce: string;
  held: HeldReason | null;
  /** Decides, beside the first reads, whether the address has sent too many. */
  checkAddress?: () => Promise<HeldReason | null>;
};

export const CONTACT_SENT_LOCATION = "/contact?sent=1#contact-form";

/**
 * Stores a submission with everything that follows from it, in one batch: number, record, file, audit, the visitor's
 * acknowledgement, the notice to staff and the live event. A held submission is stored silently: no mail is sent and
 * nobody is told until a person has released it.
 *
 * Above the daily limit a submission is held like a suspicious one, and the provider is told once; far above it nothing
 * is stored any more. A repeated post of the same form stores nothing and counts as done. Throws when D1 is down.
 */
export async function submitContact(ctx: Ctx, submission: NewSubmission): Promise<Result<null, "too_many_today">> {
  const { input, file, nonce } = submission;
  const [settings, receivedOn, tooMany] = await Promise.all([
    getSettings(ctx.db),
    countReceived(ctx.db, ctx.now()),
    submission.checkAddress?.() ?? null,
  ]);
  const day = dayIn(settings.timeZone, ctx.now());
  const cap = settings.maxSubmissionsPerDay;
  const received = receivedOn(day);
  if (isFlood(received, cap)) return fail("too_many_today");
  const held = submission.held ?? tooMany ?? (isOverCap(received, cap) ? "over_cap" : null);

  const id = ctx.newId("sub");
  const at = ctx.now();
  const dueAt = replyDueAt(siteCalendar(settings), at);
  const name = `${input.first_name} ${input.last_name}`;
  const attached = file ? attachFile(ctx, file, { subject: { type: "submission", id } }) : null;
  const { first_name: firstName, email, phone, company, message } = input;
  const announced: AnnouncedSubmission = {
    id,
    firstName,
    name,
    email,
    phone,
    company,
    message,
    replyDueAt: dueAt,
    estimate: submission.estimate ?? null,
    file: file ? { name: file.name, bytes: file.size } : null,
  };
  const decided = { status: settings.autoAssignStatus, fileId: attached?.id ?? null };

  const written = await commit(ctx.db, [
    // The claim names the submission, for the receipt.
    ...claimKey(ctx.db, { key: nonce, scope: CONTACT_SCOPE, resultLocation: id, at }),
    ...(attached ? [attached.statement] : []),
    ctx.db
      .update(counters)
      .set({ value: sql`${counters.value} + 1` })
      .where(sql`${counters.name} = 'submission'`),
    ctx.db
      .insert(totals)
      .values({ name: receivedCounter(day), value: 1 })
      .onConflictDoUpdate({ target: totals.name, set: { value: sql`${totals.value} + 1` } }),
    ctx.db.insert(contactSubmissions).values(submissionRow(ctx, submission, { ...decided, id, at, dueAt, day, held })),
    recordAudit(ctx, "submission.received", { subject: submissionSubject({ id, name }), meta: held ? { held } : {} }),
    ...(held ? [] : announceSubmission(ctx, settings, announced)),
  ]);

  // A lost claim: the same form, posted twice at once, has done all of this a moment ago.
  if (!written) return ok(null);
  if (held === "over_cap" && settings.enableNotifications)
    await alertOverCap(ctx, { day, cap, to: settings.adminEmail });
  if (held) return ok(null);
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return ok(null);
}

/** Holds what the server decides about a submission. */
type Decided = Pick<typeof contactSubmissions.$inferInsert, "id" | "status"> & {
  at: Instant;
  dueAt: Instant;
  /** Names the day of `at` in the site's time zone. */
  day: string;
  held: HeldReason | null;
  fileId: string | null;
};

/** Returns the row of a submission. It takes the number that the statement before it in the batch has incremented. */
function submissionRow(
  ctx: Pick<Ctx, "config" | "request">,
  { input, estimate, attribution, termsVersion }: NewSubmission,
  { id, status, at, dueAt, day, held, fileId }: Decided,
) {
  const { first_name, last_name, email, phone, company, message } = input;
  const sender = { firstName: first_name, lastName: last_name, email, company };
  return {
    id,
    number: sql`(select value from counters where name = 'submission')`,
    first_name,
    last_name,
    email,
    phone,
    company,
    message,
    status,
    held_reason: held,
    estimate_json: estimate ? JSON.stringify(estimate) : null,
    source: attribution?.source ?? null,
    campaign: attribution?.campaign ?? null,
    attachment_id: fileId,
    consent_at: at,
    consent_terms_version: termsVersion,
    ip_hash: keyedHash(ctx.config.LOG_HMAC_KEY, "submission-ip", ctx.request.ip),
    search_text: submissionSearchText(sender),
    name_key: submissionNameKey(sender),
    submitted_on: day,
    reply_due_at: dueAt,
    created_at: at,
    updated_at: at,
  };
}
