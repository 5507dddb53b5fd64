import { sql } from "drizzle-orm";
import { brand as defaultBrand } from "~/content/brand";
import { isTransient, jsonParameters } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { effectiveBrand } from "~/features/settings/queries.server";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { describeError } from "~/lib/errors";
import { SUBJECT_TYPES, type SubjectType } from "~/lib/subject";
import { type Duration, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { OutgoingMail, SendOutcome } from "~/platform/mailer.server";
import type { ComposedMails } from "~/platform/subjects.server";
import { decryptParams, encryptParams, parseParams, recipientHash } from "./enqueue-mail.server";
import { isMailKind, MAIL_KINDS, type MailData, type MailKind, renderMail } from "./kinds";
import {
  type LeasedMail,
  leaseDueMail,
  MAX_ATTEMPTS,
  markSendAttempted,
  type NextStep,
  nextStep,
  recordStep,
  releaseMails,
  withoutHeldAddresses,
} from "./lease-outbox.server";
import type { MailSubject, TemplateContext } from "./mail-kind";
import { endMailPause, pauseMail } from "./mail-pause.server";
import { withoutQuietHours } from "./quiet-hours.server";

type Composing = Pick<Ctx, "config" | "db" | "log" | "now" | "subjects">;

/** A mail whose reader may not read its subject any more, or whose link has ended, is deleted. */
async function sendableMails(ctx: Composing, leased: LeasedMail[]): Promise<LeasedMail[]> {
  const composed = await composeLeasedMails(ctx, leased);
  const unsendable = [...(await findUnsendable(ctx, leased)), ...withDeadLinks(ctx, leased)];
  if (unsendable.length === 0) return composed;
  await ctx.db.delete(outbox).where(sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(unsendable)}))`);
  return composed.filter(({ id }) => !unsendable.includes(id));
}

const withDeadLinks = ({ now }: Pick<Ctx, "now">, leased: LeasedMail[]): string[] =>
  leased
    .filter(({ kind, createdAt }) => {
      const lifetime = isMailKind(kind) ? MAIL_KINDS[kind].linkLifetime : undefined;
      return lifetime !== undefined && createdAt + lifetime <= now();
    })
    .map(({ id }) => id);

async function findUnsendable({ db, subjects }: Pick<Ctx, "db" | "subjects">, leased: LeasedMail[]) {
  const tried = leased.filter(({ params, isForReader }) => isForReader && params !== "");
  const found = await Promise.all(
    SUBJECT_TYPES.map(async (type) => {
      const ids = tried.filter(({ about }) => about?.type === type).map(({ id }) => id);
      const sendable = ids.length > 0 ? await subjects[type].listSendable?.(db, ids) : undefined;
      return sendable ? ids.filter((id) => !sendable.has(id)) : [];
    }),
  );
  return found.flat();
}

/**
 * What is composed is stored before it is sent, so that every further attempt sends the same. A mail with nothing to
 * say is deleted; one that cannot be composed stays empty.
 */
async function composeLeasedMails(ctx: Composing, leased: LeasedMail[]): Promise<LeasedMail[]> {
  const waiting = leased.filter(({ params }) => params === "");
  if (waiting.length === 0) return leased;
  const contents = new Map<string, Composed>();
  const failed = new Set<string>();
  for (const type of SUBJECT_TYPES) {
    const ids = waiting.filter(({ about }) => about?.type === type).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, composed] of await composeEach(ctx, type, ids)) {
      if (composed === null) failed.add(id);
      else contents.set(id, composed);
    }
  }
  const dropped = waiting.filter(({ id }) => !contents.has(id) && !failed.has(id)).map(({ id }) => id);
  const takenIn = [...contents.values()].flatMap(({ takesIn = [] }) => takesIn);
  await ctx.db.batch([
    ctx.db
      .delete(outbox)
      .where(
        sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(dropped)})) AND ${outbox.params_enc} = ''`,
      ),
    // One that another drain has leased meanwhile leaves by itself.
    ctx.db.delete(outbox).where(
      sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(takenIn)})) AND ${outbox.params_enc} = ''
          AND +${outbox.status} = 'pending'`,
    ),
    ...jsonParameters([...contents.values()]).map((rows) =>
      ctx.db
        .update(outbox)
        .set({ params_enc: sql`composed.value ->> 'params'`, to_hash: sql`composed.value ->> 'to'` })
        .from(sql`json_each(${rows}) composed`)
        .where(sql`${outbox.id} = composed.value ->> 'id' AND ${outbox.params_enc} = ''`),
    ),
  ]);
  return leased.flatMap((mail) => {
    if (mail.params !== "" || failed.has(mail.id)) return [mail];
    const content = contents.get(mail.id);
    return content ? [{ ...mail, params: content.params }] : [];
  });
}

type Composed = { id: string; to: string; params: string; takesIn?: readonly string[] };

/** All at once; if that fails each alone, so that one does not hold up the others. Null: it cannot be composed. */
async function composeEach(
  ctx: Composing,
  type: SubjectType,
  ids: readonly string[],
): Promise<[id: string, composed: Composed | null][]> {
  try {
    const composed: ComposedMails = (await ctx.subjects[type].composeMails?.(ctx, ids)) ?? new Map();
    return [...composed].map(([id, { to, data, takesIn }]) => {
      const params = encryptParams(ctx, id, { to, data: data as MailData[MailKind] });
      return [id, { id, to: recipientHash(ctx, to), params, takesIn }];
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    if (ids.length === 1) {
      ctx.log("error", { event: "mail_not_composed", object_id: ids[0], error: describeError(error) });
      return ids.map((id) => [id, null]);
    }
    const alone: Awaited<ReturnType<typeof composeEach>> = [];
    for (const id of ids) alone.push(...(await composeEach(ctx, type, [id])));
    return alone;
  }
}

/** Twenty mails, five at a time and each at the limit below, fit into a lease. */
const SEND_CONCURRENCY = 5;

/** Limits how long a provider may hang; providers give up by themselves a little earlier. */
const SEND_TIMEOUT = seconds(12);

/** The platform ends work after thirty seconds: of a mail that is cut off nobody knows whether it was sent. */
const BEGIN_WITHIN = seconds(15);

type DeliveryReport = { leased: number } & Record<NextStep["status"], number>;

/**
 * At most twenty mails; any number of drains may run at once. Called after responses that queued a mail, and each
 * minute. What it does not come to in time, or what exceeds the quota, is given back.
 */
export async function deliverOutbox(
  ctx: Ctx,
  { sendTimeout = SEND_TIMEOUT, beginWithin = BEGIN_WITHIN } = {},
): Promise<DeliveryReport> {
  const startedAt = ctx.now();
  const { mails: leased, isTry } = await leaseDueMail(ctx);
  // Nothing waits any more, so nothing is delayed.
  if (leased.length === 0 && isTry) await endMailPause(ctx);
  const sendable = await sendableMails(ctx, await withoutQuietHours(ctx, leased));
  const report: DeliveryReport = { leased: leased.length, sent: 0, pending: 0, held: 0, uncertain: 0, dead: 0 };
  const opened = sendable.map((mail) => openMail(ctx, mail));
  const [contextOf, queue] = await Promise.all([contextsFor(ctx, opened), withoutHeldAddresses(ctx, opened)]);
  const delivery: Delivery = { contextOf, sendTimeout, isPaused: isTry, isRefused: false };
  const sendNext = async (goesOn = () => true) => {
    for (let mail = queue.shift(); mail; mail = goesOn() ? queue.shift() : undefined) {
      if (delivery.isRefused || ctx.now() - startedAt > beginWithin) {
        const rest = [mail, ...queue.splice(0)];
        report.pending += rest.length;
        return releaseMails(
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

type ReadableMail = LeasedMail & { kind: MailKind; to: string; data: MailData[MailKind] };
type OpenedMail = ReadableMail | (LeasedMail & { failure: SendOutcome });

/** Decrypts one mail and reads its data. A failure is the outcome of that mail alone; the others must not suffer. */
function openMail(ctx: Pick<Ctx, "config">, mail: LeasedMail): OpenedMail {
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

async function findQuoted(
  ctx: Pick<Ctx, "config" | "db" | "subjects">,
  mails: readonly OpenedMail[],
): Promise<Map<string, MailSubject>> {
  const quoting = mails.flatMap((mail) =>
    "failure" in mail || !mail.about || !MAIL_KINDS[mail.kind].quotesSubject
      ? []
      : [{ id: mail.id, about: mail.about }],
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

type Delivery = {
  contextOf: ContextOf;
  sendTimeout: Duration;
  isPaused: boolean;
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
      const level = step.status === "pending" || step.status === "held" ? "warn" : "error";
      ctx.log(level, { event: `mail_${step.status}`, object_id: id, kind, reason, count: attempts });
    }
    return step.status;
  } catch (error) {
    ctx.log("error", { event: "mail_not_recorded", object_id: id, kind, error: describeError(error) });
    return null;
  }
}

async function sendMail(
  ctx: Pick<Ctx, "config" | "db" | "files" | "log" | "mailer" | "now">,
  mail: OpenedMail,
  { contextOf, sendTimeout }: Delivery,
): Promise<SendOutcome | null> {
  if ("failure" in mail) return mail.failure;
  const files = await readFiles(ctx, mail);
  if (files === null) return { kind: "transient", reason: "files_not_read" };
  const write = (attached: readonly MailedFile[]) => outgoingMail(ctx, mail, { attached, context: contextOf(mail) });
  let outgoing: OutgoingMail;
  try {
    outgoing = write(files);
    while (outgoing.files?.length && sizeOf(outgoing) > MAIL_BYTES)
      outgoing = write(files.slice(0, outgoing.files.length - 1));
  } catch (error) {
    return { kind: "permanent", reason: describeError(error) };
  }
  if (!ctx.mailer.isIdempotent && !(await markSendAttempted(ctx, mail, sendTimeout))) return null;
  const outcome = await sendWithin(ctx, outgoing, sendTimeout);
  const isTooLarge = outcome.kind === "permanent" && TOO_LARGE.includes(outcome.reason);
  return isTooLarge && outgoing.files ? sendWithin(ctx, write([]), sendTimeout) : outcome;
}

/** A mail has at most 5 MiB in all. */
const MAIL_BYTES = 5 * 1024 * 1024;
const HEADER_BYTES = 16 * 1024;
const TOO_LARGE = ["E_CONTENT_TOO_LARGE", "http_413"];

/** Returns about how large a mail is on its way: a file grows by a third and by line ends, a text threefold at most. */
const sizeOf = ({ text, html, files = [] }: OutgoingMail): number =>
  HEADER_BYTES +
  3 * (Buffer.byteLength(text) + Buffer.byteLength(html)) +
  files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.byteLength * 1.37), 0);

function outgoingMail(
  ctx: Pick<Ctx, "config">,
  { id, kind, to, data }: ReadableMail,
  { attached, context }: { attached: readonly MailedFile[]; context: TemplateContext },
): OutgoingMail {
  const { replyTo, headers, ...content } = renderMail(kind, withAttached(data, attached), context);
  const from = senderOf(ctx.config.MAIL_FROM, context.site.name);
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? new URL(ctx.config.APP_ORIGIN).hostname;
  return {
    ...content,
    ...(attached.length > 0 ? { files: attached.map(({ key: _, ...file }) => file) } : {}),
    id,
    to,
    from,
    headers: {
      // The same on every try, so that a receiver recognizes a mail it has already got.
      "Message-ID": `<${id}@${domain}>`,
      // Keeps out-of-office replies from answering (RFC 3834).
      "Auto-Submitted": "auto-generated",
      // Exchange knows only this one.
      "X-Auto-Response-Suppress": "All",
      ...headers,
      ...(replyTo ? { "Reply-To": replyTo } : {}),
    },
  };
}

/** Under the owner's name for the company, or, before there is one, that of the installation. */
function senderOf(configured: string, name: string): string {
  const address = /[^<\s]+@[^>\s]+/.exec(configured)?.[0];
  if (!address || name === defaultBrand.name) return configured;
  return `${/^[\p{L}\p{N} '&+-]+$/u.test(name) ? name : JSON.stringify(name)} <${address}>`;
}

type MailedFile = NonNullable<OutgoingMail["files"]>[number] & { key: string };

const filesOf = (data: MailData[MailKind]) => ("attached" in data ? (data.attached ?? []) : []);

/** What is not sent with a mail is counted in what it says. */
function withAttached<Data extends MailData[MailKind]>(data: Data, attached: readonly MailedFile[]): Data {
  const wanted = filesOf(data);
  if (wanted.length === attached.length || !("attached" in data)) return data;
  const stays = wanted.filter(({ key }) => attached.some((file) => file.key === key));
  return { ...data, attached: stays, files: (data.files ?? 0) + wanted.length - stays.length };
}

/** Reads what is sent with a mail. A file that was deleted since is left out. Null: it cannot be read now. */
async function readFiles(
  { files, log }: Pick<Ctx, "files" | "log">,
  { id, data }: ReadableMail,
): Promise<MailedFile[] | null> {
  const read: MailedFile[] = [];
  try {
    for (const file of filesOf(data)) {
      const stored = await files.get(file.key);
      if (stored) read.push({ ...file, bytes: await new Response(stored).bytes() });
      else log("warn", { event: "mail_without_file", object_id: id });
    }
  } catch (error) {
    log("warn", { event: "mail_files_not_read", object_id: id, error: describeError(error) });
    return null;
  }
  return read;
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
