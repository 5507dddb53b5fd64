import { and, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { mailAddressHolds, mailPauses, outbox } from "~/db/schema/outbox";
import { assertNever } from "~/lib/errors";
import { type Subject, storedSubject } from "~/lib/subject";
import { type Duration, days, hours, type Instant, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { SendOutcome } from "~/platform/mailer.server";
import { applyDeliveryEvents, readHeldMails } from "./delivery-events.server";
import { isSecurityMail, SECURITY_MAIL } from "./kinds";
import {
  countSentMail,
  dailyLimit,
  isCountUnsettled,
  isRefusedUntilLater,
  pauseByCount,
  sentToday,
} from "./mail-pause.server";
import { ADDRESS_HELD } from "./model";

export const MAX_ATTEMPTS = 8;

const FIRST_DELAY = seconds(30);
const LONGEST_DELAY = hours(6);
/** Sets the delay after a configuration error: a person has to fix it, and that takes time. */
const CONFIGURATION_DELAY = hours(1);
const LONGEST_RATE_DELAY = hours(1);

/** How long an address is held that the provider suppresses: it does not tell until when. */
const SUPPRESSED_FOR = hours(24);
/** No temporary suppression of a provider lasts longer. */
const SUPPRESSED_AT_MOST = days(8);

export type Attempt = {
  attempts: number;
  isIdempotent: boolean;
  now: Instant;
  age: Duration;
  random: number;
};

export type NextStep =
  | { status: "sent"; messageId: string | null }
  /**
   * `at` null: it keeps its place in the order. `counts`: whether the attempt brings the mail closer to being given up.
   */
  | { status: "pending"; at: Instant | null; counts: boolean }
  /** Waits until mail may go to its address again. It was no attempt. */
  | { status: "held"; until: Instant }
  /** Is left to a person: sending again by itself could give the recipient two mails. */
  | { status: "uncertain" }
  | { status: "dead" };

/** The whole retry policy; clock and random numbers are passed in. */
export function nextStep(outcome: SendOutcome, { attempts, isIdempotent, now, age, random }: Attempt): NextStep {
  switch (outcome.kind) {
    case "sent":
      return { status: "sent", messageId: outcome.messageId ?? null };
    case "permanent":
      return { status: "dead" };
    case "configuration":
      return { status: "pending", at: now + CONFIGURATION_DELAY, counts: false };
    case "quota":
      return { status: "pending", at: null, counts: false };
    case "suppressed":
      return age > SUPPRESSED_AT_MOST ? { status: "dead" } : { status: "held", until: now + SUPPRESSED_FOR };
    case "rate_limited": {
      // The longer a mail has waited, the less often it is tried, without counting.
      const longest = Math.min(LONGEST_RATE_DELAY, Math.max(FIRST_DELAY, age));
      return { status: "pending", at: now + Math.floor(random * longest), counts: false };
    }
    case "unknown":
      return isIdempotent ? tryAgain(attempts, now, random) : { status: "uncertain" };
    case "transient":
      return tryAgain(attempts, now, random);
    default:
      return assertNever(outcome);
  }
}

function tryAgain(attempts: number, now: Instant, random: number): NextStep {
  if (attempts >= MAX_ATTEMPTS) return { status: "dead" };
  return { status: "pending", at: now + Math.floor(random * longestWait(attempts)), counts: true };
}

/** The limit doubles with each attempt; the delay is a random part of it, so that mails do not all retry at once. */
const longestWait = (attempts: number): Duration => Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1));

export const LEASE_SIZE = 20;

const LEASE = minutes(1);

export type LeasedMail = {
  id: string;
  kind: string;
  /** Holds the encrypted recipient and data. Empty: they are composed when it leaves; null: they were erased. */
  params: string | null;
  about: Subject | null;
  /** Such a reader must be allowed to read the subject, or to have copies of its mails. */
  isForReader: boolean;
  isUrgent: boolean;
  attempts: number;
  createdAt: Instant;
  leaseUntil: Instant;
};

const isFree = (now: Instant) => sql`(${outbox.lease_until} is null or ${outbox.lease_until} < ${now})`;

/** As in the partial index, with every priority named: then SQLite reads it in order and stops at the limit. */
const dueMails = (now: Instant, { of = sql`1`, most }: { of?: SQL; most: SQL }) => sql`
  SELECT ${outbox.id}, ${outbox.priority} AS priority, ${outbox.next_at} AS next_at FROM ${outbox}
  WHERE ${outbox.status} IN ('pending', 'sending') AND ${outbox.priority} IN (0, 1)
    AND ${outbox.send_attempted_at} IS NULL AND ${outbox.next_at} <= ${now} AND ${isFree(now)} AND ${of}
  ORDER BY ${outbox.priority}, ${outbox.next_at} LIMIT ${most}`;

const IS_SECURITY_MAIL = sql`${outbox.kind} IN (SELECT value FROM json_each(${JSON.stringify(SECURITY_MAIL)}))`;

/** What may leave now. A mail that is on its way counts as sent, so that drains at once do not exceed the limit. */
function leavingMails({ config, now: clock }: Pick<Ctx, "config" | "now">, size: number): SQL {
  const now = clock();
  const limit = dailyLimit(config);
  if (!limit)
    return sql`SELECT id FROM (${dueMails(now, { most: sql`iif(${isRefusedUntilLater(now)}, 0, ${size})` })})`;
  const onTheirWay = sql`(SELECT count(*) FROM outbox o INDEXED BY outbox_by_status
    WHERE o.status = 'sending' AND o.lease_until >= ${now})`;
  const upTo = (most: number) => sql`
    iif(${isRefusedUntilLater(now)}, 0, max(0, min(${size}, ${most} - ${sentToday(now)} - ${onTheirWay})))`;
  const security = dueMails(now, { of: sql`${outbox.priority} = 0 AND ${IS_SECURITY_MAIL}`, most: upTo(limit.all) });
  const ordinary = dueMails(now, { of: sql`NOT ${IS_SECURITY_MAIL}`, most: upTo(limit.ordinary) });
  return sql`SELECT id FROM (SELECT * FROM (${security}) UNION ALL SELECT * FROM (${ordinary}))
    ORDER BY priority, next_at LIMIT ${upTo(limit.all)}`;
}

const isInterrupted = (now: Instant) =>
  and(eq(outbox.status, "sending"), isNotNull(outbox.send_attempted_at), isFree(now));

export async function hasDueMail(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<boolean> {
  const { db } = ctx;
  const now = ctx.now();
  const found = await Promise.all([
    db.all(leavingMails(ctx, 1)),
    db.select({ id: outbox.id }).from(outbox).where(isInterrupted(now)).limit(1),
    db.select({ id: mailPauses.id }).from(mailPauses).where(lte(mailPauses.retry_at, now)).limit(1),
    db.all(isCountUnsettled(ctx)),
  ]);
  return found.flat().length > 0;
}

/** Holds what a drain has claimed. `isTry`: the first mail decides whether the pause is over. */
type Claim = { mails: LeasedMail[]; isTry: boolean };

/**
 * Claims due mails, the urgent first, with a lease of one minute; of two drains each mail goes to one. Where the
 * provider was called and the lease has ended, the mail becomes 'uncertain'. During a pause one drain at a time tries
 * the most important mails.
 */
export async function leaseDueMail(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<Claim> {
  const { db } = ctx;
  const now = ctx.now();
  const leaseUntil = now + LEASE;
  const [, claimed, , , tried] = await db.batch([
    db
      .update(outbox)
      .set({ status: "uncertain", lease_until: null, last_error: "interrupted" })
      .where(isInterrupted(now)),
    db
      .update(outbox)
      .set({ status: "sending", lease_until: leaseUntil, attempts: sql`${outbox.attempts} + 1` })
      .where(sql`${outbox.id} IN (${leavingMails(ctx, LEASE_SIZE)})`)
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
        createdAt: outbox.created_at,
      }),
    ...pauseByCount(ctx),
    db
      .update(mailPauses)
      .set({ retry_at: leaseUntil })
      .where(lte(mailPauses.retry_at, now))
      .returning({ id: mailPauses.id }),
  ]);
  // RETURNING promises no order.
  const mails = claimed
    .sort((one, other) => one.priority - other.priority || one.nextAt - other.nextAt)
    .map(({ id, kind, params, attempts, createdAt, subjectType, subjectId, userId, copyId, priority }) => {
      const about = storedSubject(subjectType, subjectId);
      const isUrgent = priority === 0;
      const isForReader = userId !== null || copyId !== null;
      return { id, kind, params, about, isForReader, isUrgent, attempts, createdAt, leaseUntil };
    });
  return { mails, isTry: tried.length > 0 };
}

/**
 * From here on only a clear response allows another attempt. False: the lease is no longer ours, or would end in
 * `timeout`.
 */
export async function markSendAttempted(
  ctx: Pick<Ctx, "db" | "now">,
  mail: LeasedMail,
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

type GivenBack = Pick<LeasedMail, "id" | "leaseUntil"> & {
  at?: Instant;
  /** Why it waits, where that is shown. */
  reason?: string;
};

/**
 * A mail of events that waits for its address takes in what happens until it leaves. One about new tickets stays as it
 * was composed: it has taken in others.
 */
export const OPENED_AGAIN = sql`iif((SELECT min(e.event <> 'ticket_opened') FROM mail_events e WHERE e.outbox_id = ${outbox.id}),
  '', ${outbox.params_enc})`;

/** It was no attempt: why one before has failed stays on record, unless it waits for a reason of its own. */
export async function releaseMails({ db }: Pick<Ctx, "db">, mails: readonly GivenBack[]): Promise<void> {
  const [first] = mails;
  if (!first) return;
  await db
    .update(outbox)
    .set({
      status: "pending",
      lease_until: null,
      attempts: sql`${outbox.attempts} - 1`,
      next_at: sql`coalesce(given.value ->> 'at', ${outbox.next_at})`,
      last_error: sql`coalesce(given.value ->> 'reason', ${outbox.last_error})`,
      params_enc: sql`iif(given.value ->> 'reason' = ${ADDRESS_HELD}, ${OPENED_AGAIN}, ${outbox.params_enc})`,
    })
    .from(sql`json_each(${JSON.stringify(mails)}) given`)
    .where(
      sql`${outbox.id} = given.value ->> 'id' AND +${outbox.status} = 'sending'
        AND ${outbox.lease_until} = ${first.leaseUntil}`,
    );
}

/**
 * Mails to addresses that are held wait until mail may go there again, and end when they have waited longer than a
 * provider suppresses an address. Security mail is tried all the same.
 */
export async function withoutHeldAddresses<Mail extends LeasedMail>(
  ctx: Pick<Ctx, "db" | "now">,
  claimed: readonly Mail[],
): Promise<Mail[]> {
  const ordinary = claimed.filter(({ kind }) => !isSecurityMail(kind)).map(({ id }) => id);
  const held = ordinary.length > 0 ? await readHeldMails(ctx, ordinary) : [];
  const untilOf = new Map(held.map(({ id, until }) => [id, until ?? ctx.now() + LOOK_AGAIN]));
  const isOver = ({ createdAt }: LeasedMail) => ctx.now() - createdAt > SUPPRESSED_AT_MOST;
  const over = claimed.filter((mail) => untilOf.has(mail.id) && isOver(mail)).map(({ id }) => id);
  if (over.length > 0) {
    await ctx.db
      .update(outbox)
      .set({ status: "dead", lease_until: null, last_error: ADDRESS_HELD, params_enc: null })
      .where(
        sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(over)})) AND +${outbox.status} = 'sending'
          AND ${outbox.lease_until} = ${claimed[0]?.leaseUntil}`,
      );
  }
  const waiting = claimed.flatMap((mail): GivenBack[] => {
    const at = untilOf.get(mail.id);
    return at === undefined || isOver(mail)
      ? []
      : [{ id: mail.id, leaseUntil: mail.leaseUntil, at, reason: ADDRESS_HELD }];
  });
  await releaseMails(ctx, waiting);
  return claimed.filter(({ id }) => !untilOf.has(id));
}

/** After it, mail to an address is looked at again that is held until a person lifts it. */
const LOOK_AGAIN = days(1);

/** Matches the mail while its lease is still the one we have claimed. */
const ownsLease = ({ id, leaseUntil }: LeasedMail) => and(eq(outbox.id, id), eq(outbox.lease_until, leaseUntil));

/** 'sent' is recorded whoever owns the lease, all else by its owner. A mail that has ended loses its personal data. */
export async function recordStep(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  mail: LeasedMail,
  step: NextStep,
  reason: string | null,
): Promise<void> {
  const released = { lease_until: null, last_error: reason };
  switch (step.status) {
    case "sent":
      await ctx.db.batch([
        ctx.db
          .update(outbox)
          .set({
            ...released,
            status: "sent",
            sent_at: ctx.now(),
            params_enc: null,
            provider_message_id: step.messageId,
          })
          .where(and(eq(outbox.id, mail.id), sql`${outbox.status} in ('pending', 'sending')`)),
        ...countSentMail(ctx),
        ...(step.messageId ? applyDeliveryEvents(ctx.db, [step.messageId], ctx.now()) : []),
      ]);
      return;
    case "pending":
      await ctx.db
        .update(outbox)
        .set({
          ...released,
          status: "pending",
          next_at: step.at ?? sql`${outbox.next_at}`,
          send_attempted_at: null,
          attempts: step.counts ? mail.attempts : mail.attempts - 1,
        })
        .where(ownsLease(mail));
      return;
    case "held": {
      const { until } = step;
      const known = sql`(SELECT until FROM mail_address_holds h WHERE h.to_hash = ${outbox.to_hash})`;
      await ctx.db.batch([
        ctx.db
          .insert(mailAddressHolds)
          .select(
            sql`SELECT to_hash, 'E_RECIPIENT_SUPPRESSED', ${ctx.now()}, ${until} FROM outbox WHERE id = ${mail.id}`,
          )
          .onConflictDoUpdate({ target: mailAddressHolds.to_hash, set: { until }, setWhere: sql`until < ${until}` }),
        ctx.db
          .update(outbox)
          .set({
            lease_until: null,
            last_error: ADDRESS_HELD,
            status: "pending",
            next_at: sql`coalesce(${known}, ${until})`,
            params_enc: OPENED_AGAIN,
            send_attempted_at: null,
            attempts: mail.attempts - 1,
          })
          .where(ownsLease(mail)),
      ]);
      return;
    }
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
