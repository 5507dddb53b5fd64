import { eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { counters, totals } from "~/db/schema/infrastructure";
import { contactSubmissions } from "~/db/schema/submissions";
import { attachFile, type StoredFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { isMailDelayed } from "~/features/mail/mail-pause.server";
import type { Estimate } from "~/features/pricing/estimate";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { describeError, fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import type { ModerationReason } from "~/lib/moderation";
import { addDays, dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { sentFormNonceOf } from "~/platform/cookies.server";
import { keyedHash } from "~/platform/crypto.server";
import { findResult, type Planned, runCommand } from "~/platform/run-command.server";
import type { ContactInput } from "../forms.server";
import { type AnnouncedSubmission, notifyOfSubmission } from "../mails.server";
import { type Attribution, submissionNameKey, submissionSearchText } from "../model";
import { replyDueAt, targetTime } from "../reply-target";
import { SUBMISSIONS_PATH, submissionSubject } from "../subject";

/** All of a day, and those that were counted and announced. */
type ReceivedCounts = { all: number; announced: number };

/** Above this multiple of the daily limit submissions count as an attack and are not stored. */
const FLOOD_FACTOR = 10;

/** Held ones count as well: they must not fill the database either. */
const receivedCounter = (day: string): string => `submission.arrived.${day}`;

const isOverCap = ({ announced }: ReceivedCounts, cap: number): boolean => announced >= cap;

const isFlood = ({ all }: ReceivedCounts, cap: number): boolean => all >= cap * FLOOD_FACTOR;

/** The caller passes the day later: the settings, which decide it, are read in the same round trip. */
async function countReceived(db: Db, now: Instant): Promise<(day: string) => ReceivedCounts> {
  const utcDay = new Date(now).toISOString().slice(0, 10);
  const days = [-1, 0, 1].map((offset) => addDays(utcDay, offset));
  const listed = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  const [received, counted] = await Promise.all([
    db.all<{ name: string; value: number }>(
      sql`SELECT name, value FROM totals WHERE name IN ${listed(days.map(receivedCounter))}`,
    ),
    db.all<{ period: string; value: number }>(
      sql`SELECT period, new + contacted + resolved AS value FROM submission_counts WHERE period IN ${listed(days)}`,
    ),
  ]);
  return (day) => ({
    all: received.find(({ name }) => name === receivedCounter(day))?.value ?? 0,
    announced: counted.find(({ period }) => period === day)?.value ?? 0,
  });
}

/** One mail a day, however many submissions cross it at once. */
async function alertOverCap(ctx: Ctx, { day, cap, to }: { day: string; cap: number; to: string }): Promise<void> {
  const data = { day, cap, path: `${SUBMISSIONS_PATH}?view=held` };
  const form = { scope: "over-cap", key: `over-cap:${day}` };
  await runCommand(ctx, form, {
    read: async () => null,
    plan: (): Planned<never> =>
      ok({
        resultId: day,
        statements: [enqueueMail(ctx, "submissions-over-cap", { to, about: null, data })],
        after: () => ctx.after(deliverOutbox(ctx)),
      }),
  });
}

export const CONTACT_SCOPE = "contact";

export type Receipt = {
  /** Shown as `L-1001`. */
  number: string;
  replyBy: string;
  estimate: Estimate | null;
  isMailDelayed: boolean;
};

/** Null: this browser has sent none, or it was deleted since. `receipt` is null while the database does not respond. */
export async function findSentReceipt(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request" | "log">,
): Promise<{ receipt: Receipt | null } | null> {
  const nonce = sentFormNonceOf(ctx);
  if (!nonce) return null;
  try {
    const [sent, settings, isDelayed] = await Promise.all([
      findSent(ctx.db, nonce),
      getSettings(ctx.db),
      isMailDelayed(ctx, "submission-received"),
    ]);
    if (!sent) return null;
    return {
      receipt: {
        number: referenceNumber("submission", sent.number),
        replyBy: targetTime(settings.timeZone, sent.replyDueAt),
        estimate: readStoredEstimate(sent.estimateJson),
        isMailDelayed: isDelayed,
      },
    };
  } catch (error) {
    ctx.log("warn", { event: "receipt_not_read", request_id: ctx.request.id, error: describeError(error) });
    return { receipt: null };
  }
}

async function findSent(db: Db, nonce: string) {
  const id = await findResult(db, { scope: CONTACT_SCOPE, key: nonce });
  if (id === null) return null;
  const t = contactSubmissions;
  const [row] = await db
    .select({ number: t.number, replyDueAt: t.reply_due_at, estimateJson: t.estimate_json })
    .from(t)
    .where(eq(t.id, id))
    .limit(1);
  return row ?? null;
}

export type NewSubmission = {
  input: ContactInput;
  file: StoredFile | null;
  estimate?: Estimate | null;
  attribution?: Attribution;
  termsVersion: string;
  /** The same form posted again leads to the same result. */
  nonce: string;
  moderationReason: ModerationReason | null;
  /** Decides, beside the first reads, whether the address has sent too many. */
  checkAddress?: () => Promise<ModerationReason | null>;
};

export const CONTACT_SENT_LOCATION = "/contact?sent=1#contact-form";

/**
 * One batch. What is held is stored silently until a person releases it; above the daily limit everything is held, far
 * above it nothing is stored. A repeated post stores nothing and counts as done. Throws when D1 is down.
 */
export async function submitContact(ctx: Ctx, submission: NewSubmission): Promise<Result<null, "too_many_today">> {
  const { input, file, nonce } = submission;
  const id = ctx.newId("sub");
  const at = ctx.now();
  const name = `${input.first_name} ${input.last_name}`;
  const { first_name: firstName, email, phone, company, message } = input;
  const attached = file ? attachFile(ctx, file, { subject: { type: "submission", id } }) : null;
  // Counted once, however often it is planned.
  const checked = submission.checkAddress?.() ?? null;
  const form = { scope: CONTACT_SCOPE, key: nonce };
  const stored = await runCommand(ctx, form, {
    read: () => Promise.all([getSettings(ctx.db), countReceived(ctx.db, at), checked]),
    plan: ([settings, receivedOn, tooMany]): Planned<"too_many_today"> => {
      const day = dayIn(settings.timeZone, at);
      const { maxSubmissionsPerDay: cap, adminEmail: to } = settings;
      const received = receivedOn(day);
      if (isFlood(received, cap)) return fail("too_many_today");
      const moderationReason = submission.moderationReason ?? tooMany ?? (isOverCap(received, cap) ? "over_cap" : null);
      const dueAt = replyDueAt(siteCalendar(settings), at);
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
      const row = submissionRow(ctx, submission, { ...decided, id, at, dueAt, day, moderationReason });
      return ok({
        // For the receipt.
        resultId: id,
        statements: [
          ...(attached ? [attached.statement] : []),
          ctx.db
            .update(counters)
            .set({ value: sql`${counters.value} + 1` })
            .where(sql`${counters.name} = 'submission'`),
          ctx.db
            .insert(totals)
            .values({ name: receivedCounter(day), value: 1 })
            .onConflictDoUpdate({ target: totals.name, set: { value: sql`${totals.value} + 1` } }),
          ctx.db.insert(contactSubmissions).values(row),
          recordAudit(ctx, "submission.received", {
            subject: submissionSubject({ id, name }),
            meta: moderationReason ? { held: moderationReason } : {},
          }),
          ...(moderationReason ? [] : notifyOfSubmission(ctx, settings, announced)),
        ],
        after: () => {
          if (moderationReason === "over_cap" && settings.enableNotifications)
            ctx.after(alertOverCap(ctx, { day, cap, to }));
          if (moderationReason) return;
          ctx.after(ctx.live.notify("staff"));
          ctx.after(deliverOutbox(ctx));
        },
      });
    },
  });
  return stored.ok ? ok(null) : stored;
}

type Decided = Pick<typeof contactSubmissions.$inferInsert, "id" | "status"> & {
  at: Instant;
  dueAt: Instant;
  /** Of `at`, in the site's time zone. */
  day: string;
  moderationReason: ModerationReason | null;
  fileId: string | null;
};

function submissionRow(
  ctx: Pick<Ctx, "config" | "request">,
  { input, estimate, attribution, termsVersion }: NewSubmission,
  { id, status, at, dueAt, day, moderationReason, fileId }: Decided,
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
    held_reason: moderationReason,
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
