import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { describeError } from "~/lib/describe-error";
import { type Duration, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { OutgoingMail, SendOutcome } from "~/platform/mailer.server";
import { type ClaimedMail, claimDueMail, giveBackMails, markSendAttempted, recordStep } from "./claim-outbox.server";
import { sendableMails } from "./compose-claimed-mails.server";
import { endMailPause, pauseMail } from "./mail-pause.server";
import { type MailData, type MailKind, type MailSubject, QUOTING_KINDS, type TemplateContext } from "./model";
import { decryptParams, isMailKind, parseParams } from "./params.server";
import { withoutQuietHours } from "./quiet-hours.server";
import { MAX_ATTEMPTS, type NextStep, nextStep } from "./retry-policy";
import { renderMail } from "./templates";

/**
 * Sets how many mails are sent side by side, so that a slow response delays few. Twenty mails, five at a time and each
 * at the limit below, fit into a lease.
 */
const SEND_CONCURRENCY = 5;

/** Limits how long a provider may hang; providers give up by themselves a little earlier. */
const SEND_TIMEOUT = seconds(12);

/**
 * Limits how long a drain after a response begins with further mails. The platform ends such work after thirty seconds:
 * a mail that is cut off has lost an attempt, and nobody knows whether it was sent.
 */
const BEGIN_WITHIN = seconds(15);

/** Counts the mails of a drain: all that it has claimed, also those that may not leave now, and what became of them. */
type DeliveryReport = { claimed: number } & Record<NextStep["status"], number>;

/**
 * Sends what is due, at most twenty mails, and records each outcome by itself. Any number of drains may run at once.
 * Called after every response that queued a mail, and each minute by the schedule. What it does not come to in time,
 * and everything behind a mail that exceeds the provider's quota, is given back. Throws only when the database does not
 * respond.
 */
export async function deliverOutbox(
  ctx: Ctx,
  { sendTimeout = SEND_TIMEOUT, beginWithin = BEGIN_WITHIN } = {},
): Promise<DeliveryReport> {
  const startedAt = ctx.now();
  const { mails: claimed, pause } = await claimDueMail(ctx);
  // Nothing waits any more, so nothing is delayed.
  if (claimed.length === 0 && pause && pause.retryAt <= startedAt) await endMailPause(ctx);
  const sendable = await sendableMails(ctx, await withoutQuietHours(ctx, claimed));
  const report: DeliveryReport = { claimed: claimed.length, sent: 0, pending: 0, uncertain: 0, dead: 0 };
  const queue = sendable.map((mail) => openMail(ctx, mail));
  const contextOf = await contextsFor(ctx, queue);
  const delivery: Delivery = { contextOf, sendTimeout, isPaused: pause !== null, isRefused: false };
  const sendNext = async (goesOn = () => true) => {
    for (let mail = queue.shift(); mail; mail = goesOn() ? queue.shift() : undefined) {
      if (delivery.isRefused || ctx.now() - startedAt > beginWithin) {
        const rest = [mail, ...queue.splice(0)];
        report.pending += rest.length;
        return giveBackMails(
          ctx,
          rest.map(({ id, leaseUntil }) => ({ id, leaseUntil })),
        );
      }
      const status = await deliverOne(ctx, mail, delivery);
      if (status) report[status] += 1;
    }
  };
  // During a pause mails are tried one by one, until the first has left.
  if (delivery.isPaused) await sendNext(() => delivery.isPaused);
  await Promise.all(Array.from({ length: SEND_CONCURRENCY }, () => sendNext()));
  return report;
}

type ReadableMail = ClaimedMail & { kind: MailKind; to: string; data: MailData[MailKind] };
type OpenedMail = ReadableMail | (ClaimedMail & { failure: SendOutcome });

/** Decrypts one mail and reads its data. A failure is the outcome of that mail alone; the others must not suffer. */
function openMail(ctx: Pick<Ctx, "config">, mail: ClaimedMail): OpenedMail {
  if (mail.attempts > MAX_ATTEMPTS) return { ...mail, failure: { kind: "permanent", reason: "interrupted_too_often" } };
  const { kind } = mail;
  // Its subject was deleted meanwhile.
  if (mail.params === null) return { ...mail, failure: { kind: "permanent", reason: "erased" } };
  if (mail.params === "") return { ...mail, failure: { kind: "transient", reason: "not_composed" } };
  // A newer version, since rolled back, has queued it: sent once that version runs again.
  if (!isMailKind(kind)) return { ...mail, failure: { kind: "configuration", reason: "unknown_kind" } };
  let text: string;
  try {
    // Fails while the key is not configured; retried like every configuration error.
    text = decryptParams(ctx, mail.id, mail.params);
  } catch {
    return { ...mail, failure: { kind: "configuration", reason: "unreadable" } };
  }
  try {
    return { ...mail, kind, ...parseParams(kind, text) };
  } catch (error) {
    return { ...mail, failure: { kind: "permanent", reason: describeError(error) } };
  }
}

type ContextOf = (mail: ReadableMail) => TemplateContext;

/** Reads the brand and the subjects that mails quote, all at once. */
async function contextsFor(
  ctx: Pick<Ctx, "config" | "db" | "publishedSettings" | "subjects">,
  mails: readonly OpenedMail[],
): Promise<ContextOf> {
  const [quoted, brand] = await Promise.all([findQuoted(ctx, mails), effectiveBrand(ctx)]);
  const site = { ...brand, origin: ctx.config.APP_ORIGIN };
  return ({ id }) => ({
    site,
    about: () => {
      const subject = quoted.get(id);
      if (!subject) throw new Error("What the mail is about was deleted before it left");
      return subject;
    },
  });
}

/** Returns the quoted subjects by the id of their mail. */
async function findQuoted(
  ctx: Pick<Ctx, "config" | "db" | "subjects">,
  mails: readonly OpenedMail[],
): Promise<Map<string, MailSubject>> {
  const quoting = mails.flatMap((mail) =>
    "failure" in mail || !mail.about || !QUOTING_KINDS.includes(mail.kind) ? [] : [{ id: mail.id, about: mail.about }],
  );
  const types = [...new Set(quoting.map(({ about }) => about.type))];
  const found = await Promise.all(
    types.map(async (type) => {
      const { noun, pages, find } = ctx.subjects[type];
      const own = quoting.filter(({ about }) => about.type === type);
      const subjects = new Map(
        (
          await find(
            ctx.db,
            own.map(({ about }) => about.id),
          )
        ).map((one) => [one.id, one]),
      );
      return own.flatMap(({ id, about }): [string, MailSubject][] => {
        const subject = subjects.get(about.id);
        const staffUrl = ctx.config.APP_ORIGIN + (pages.staff?.(about.id) ?? ADMIN_HOME_PATH);
        return subject ? [[id, { noun, number: subject.reference ?? subject.label, staffUrl }]] : [];
      });
    }),
  );
  return new Map(found.flat());
}

/** Holds what the mails of a drain share. */
type Delivery = {
  contextOf: ContextOf;
  sendTimeout: Duration;
  /** Tells whether mail was paused when they were claimed: the first that is sent ends that. */
  isPaused: boolean;
  /** Tells whether the provider's quota is used up, as one of them has shown. */
  isRefused: boolean;
};

/** Sends one mail and records what became of it. Null: another drain has it, or the outcome could not be recorded. */
async function deliverOne(ctx: Ctx, mail: OpenedMail, delivery: Delivery): Promise<NextStep["status"] | null> {
  const { id, kind, attempts } = mail;
  try {
    const outcome = await sendMail(ctx, mail, delivery);
    if (!outcome) return null;
    const random = Buffer.from(ctx.newToken(), "base64url").readUInt32BE() / 2 ** 32;
    const now = ctx.now();
    const age = now - mail.createdAt;
    const step = nextStep(outcome, { attempts, isIdempotent: ctx.mailer.isIdempotent, now, age, random });
    const reason = outcome.kind === "sent" ? null : outcome.reason;
    const isFirstRefusal = outcome.kind === "quota" && !delivery.isRefused;
    if (isFirstRefusal) delivery.isRefused = true;
    await recordStep(ctx, mail, step, reason);
    if (isFirstRefusal) await pauseMail(ctx, outcome.reason, random);
    if (outcome.kind === "sent" && delivery.isPaused) {
      delivery.isPaused = false;
      await endMailPause(ctx);
    }
    if (reason) {
      const level = step.status === "pending" ? "warn" : "error";
      ctx.log(level, { event: `mail_${step.status}`, object_id: id, kind, reason, count: attempts });
    }
    return step.status;
  } catch (error) {
    ctx.log("error", { event: "mail_not_recorded", object_id: id, kind, error: describeError(error) });
    return null;
  }
}

async function sendMail(
  ctx: Pick<Ctx, "config" | "db" | "mailer" | "now">,
  mail: OpenedMail,
  { contextOf, sendTimeout }: Delivery,
): Promise<SendOutcome | null> {
  if ("failure" in mail) return mail.failure;
  let outgoing: OutgoingMail;
  try {
    outgoing = outgoingMail(ctx, mail, contextOf(mail));
  } catch (error) {
    return { kind: "permanent", reason: describeError(error) };
  }
  if (!ctx.mailer.isIdempotent && !(await markSendAttempted(ctx, mail, sendTimeout))) return null;
  return sendWithin(ctx, outgoing, sendTimeout);
}

function outgoingMail(
  ctx: Pick<Ctx, "config">,
  { id, kind, to, data }: ReadableMail,
  context: TemplateContext,
): OutgoingMail {
  const { replyTo, headers, ...content } = renderMail(kind, data, context);
  const from = ctx.config.MAIL_FROM;
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? new URL(ctx.config.APP_ORIGIN).hostname;
  return {
    ...content,
    id,
    to,
    from,
    headers: {
      // The same on every try, so that a receiver recognizes a mail it has already got.
      "Message-ID": `<${id}@${domain}>`,
      // Keeps out-of-office replies from answering (RFC 3834).
      "Auto-Submitted": "auto-generated",
      ...headers,
      ...(replyTo ? { "Reply-To": replyTo } : {}),
    },
  };
}

async function sendWithin(ctx: Pick<Ctx, "mailer">, mail: OutgoingMail, limit: Duration): Promise<SendOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<SendOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "unknown", reason: "timeout" }), limit);
  });
  try {
    return await Promise.race([ctx.mailer.send(mail), tooLate]);
  } catch (error) {
    return { kind: "unknown", reason: error instanceof Error ? error.name : "unknown" };
  } finally {
    clearTimeout(timer);
  }
}
