import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { outbox } from "~/db/schema/outbox";
import { assertNever } from "~/lib/assert";
import { type Subject, storedSubject } from "~/lib/subject";
import { type Duration, type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { NextStep } from "./retry-policy";

/** Limits how many mails one drain claims. */
export const CLAIM_SIZE = 20;

/** Sets how long a drain owns the mails it has claimed. */
const LEASE = minutes(1);

export type ClaimedMail = {
  id: string;
  kind: string;
  /** Holds the encrypted recipient and data. Empty: they are composed when it leaves; null: they were erased. */
  params: string | null;
  /** Names what the mail is about. */
  about: Subject | null;
  /**
   * Tells whether the recipient must be allowed to read the subject, or to have copies of its mails, and is not just
   * an address.
   */
  isForReader: boolean;
  /** Tells whether the mail waits for nothing. */
  isUrgent: boolean;
  /** Holds the number of this attempt; the first one is 1. */
  attempts: number;
  leaseUntil: Instant;
};

const isFree = (now: Instant) => sql`(${outbox.lease_until} is null or ${outbox.lease_until} < ${now})`;

/** Matches mails that may leave now. */
const isDue = (now: Instant) =>
  and(
    // As in the partial index, and with every priority named: then SQLite reads it in order and stops at the limit.
    sql`${outbox.status} in ('pending', 'sending')`,
    sql`${outbox.priority} in (0, 1)`,
    isNull(outbox.send_attempted_at),
    lte(outbox.next_at, now),
    isFree(now),
  );

/** Matches mails of which nobody knows whether they have left, because the drain that had them has ended. */
const isInterrupted = (now: Instant) =>
  and(eq(outbox.status, "sending"), isNotNull(outbox.send_attempted_at), isFree(now));

/** Tells whether a claim would find anything: asking costs no write. */
export async function hasDueMail({ db, now: clock }: Pick<Ctx, "db" | "now">): Promise<boolean> {
  const now = clock();
  const found = await Promise.all(
    [isDue(now), isInterrupted(now)].map((condition) =>
      db.select({ id: outbox.id }).from(outbox).where(condition).limit(1),
    ),
  );
  return found.flat().length > 0;
}

/**
 * Claims the mails that are due, the urgent first, with a lease of one minute. One statement decides, so that of two
 * drains at once each mail goes to one. A mail that was claimed and never finished is free again when its lease has
 * ended; but if the provider was called, the outcome is unknown: the mail becomes 'uncertain', and a person decides.
 */
export async function claimDueMail({ db, now: clock }: Pick<Ctx, "db" | "now">): Promise<ClaimedMail[]> {
  const now = clock();
  const leaseUntil = now + LEASE;
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(isDue(now))
    .orderBy(asc(outbox.priority), asc(outbox.next_at))
    .limit(CLAIM_SIZE);
  const [, claimed] = await db.batch([
    db
      .update(outbox)
      .set({ status: "uncertain", lease_until: null, last_error: "interrupted" })
      .where(isInterrupted(now)),
    db
      .update(outbox)
      .set({ status: "sending", lease_until: leaseUntil, attempts: sql`${outbox.attempts} + 1` })
      .where(inArray(outbox.id, due))
      .returning({
        id: outbox.id,
        kind: outbox.kind,
        params: outbox.params_enc,
        subjectType: outbox.subject_type,
        subjectId: outbox.subject_id,
        userId: outbox.user_id,
        copyId: outbox.copy_id,
        attempts: outbox.attempts,
        priority: outbox.priority,
        nextAt: outbox.next_at,
      }),
  ]);
  // RETURNING promises no order.
  return claimed
    .sort((one, other) => one.priority - other.priority || one.nextAt - other.nextAt)
    .map(({ id, kind, params, attempts, subjectType, subjectId, userId, copyId, priority }) => {
      const about = storedSubject(subjectType, subjectId);
      const isUrgent = priority === 0;
      const isForReader = userId !== null || copyId !== null;
      return { id, kind, params, about, isForReader, isUrgent, attempts, leaseUntil };
    });
}

/**
 * Marks a mail as attempted, before a provider without idempotency is called. From here on only a clear response allows
 * another attempt. Returns false when the lease is no longer ours or would end during a call of `timeout`.
 */
export async function markSendAttempted(
  ctx: Pick<Ctx, "db" | "now">,
  mail: ClaimedMail,
  timeout: Duration,
): Promise<boolean> {
  const now = ctx.now();
  if (mail.leaseUntil < now + timeout) return false;
  const marked = await ctx.db
    .update(outbox)
    .set({ send_attempted_at: now })
    .where(and(ownsLease(mail), isNull(outbox.send_attempted_at)))
    .returning({ id: outbox.id });
  return marked.length === 1;
}

type GivenBack = Pick<ClaimedMail, "id" | "leaseUntil"> & {
  /** Says when it may leave; absent: it keeps its place in the order. */
  at?: Instant;
};

/**
 * Gives claimed mails of one drain back that it does not try to send now. It was no attempt: why one before has failed
 * stays on record.
 */
export async function giveBackMails({ db }: Pick<Ctx, "db">, mails: readonly GivenBack[]): Promise<void> {
  const [first] = mails;
  if (!first) return;
  await db
    .update(outbox)
    .set({
      status: "pending",
      lease_until: null,
      attempts: sql`${outbox.attempts} - 1`,
      next_at: sql`coalesce(given.value ->> 'at', ${outbox.next_at})`,
    })
    .from(sql`json_each(${JSON.stringify(mails)}) given`)
    .where(
      sql`${outbox.id} = given.value ->> 'id' AND +${outbox.status} = 'sending'
        AND ${outbox.lease_until} = ${first.leaseUntil}`,
    );
}

/** Matches the mail while its lease is still the one we have claimed. */
const ownsLease = ({ id, leaseUntil }: ClaimedMail) => and(eq(outbox.id, id), eq(outbox.lease_until, leaseUntil));

/**
 * Records the outcome of an attempt. 'sent' is recorded whoever owns the lease; every other outcome only by the lease
 * owner. A mail that will not be sent again loses its personal data.
 */
export async function recordStep(
  ctx: Pick<Ctx, "db" | "now">,
  mail: ClaimedMail,
  step: NextStep,
  reason: string | null,
): Promise<void> {
  const released = { lease_until: null, last_error: reason };
  switch (step.status) {
    case "sent":
      await ctx.db
        .update(outbox)
        .set({ ...released, status: "sent", sent_at: ctx.now(), params_enc: null })
        .where(and(eq(outbox.id, mail.id), sql`${outbox.status} in ('pending', 'sending')`));
      return;
    case "pending":
      await ctx.db
        .update(outbox)
        .set({
          ...released,
          status: "pending",
          next_at: step.at,
          send_attempted_at: null,
          attempts: step.counts ? mail.attempts : mail.attempts - 1,
        })
        .where(ownsLease(mail));
      return;
    case "uncertain":
      await ctx.db
        .update(outbox)
        .set({ ...released, status: "uncertain" })
        .where(ownsLease(mail));
      return;
    case "dead":
      await ctx.db
        .update(outbox)
        .set({ ...released, status: "dead", params_enc: null })
        .where(ownsLease(mail));
      return;
    default:
      assertNever(step);
  }
}
