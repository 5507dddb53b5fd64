import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Db, insertRows, type Statement } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { normalizeEmail } from "~/lib/email";
import type { Subject, SubjectType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { MAIL_KINDS, type MailData, type MailKind } from "./kinds";

const Envelope = z.object({ to: z.string(), data: z.unknown() });

export const mailParamsContext = (id: string): string => `outbox:${id}`;

/** Recipient and data are personal, some are links: they can be decrypted only by us and only in this row. */
export const encryptParams = (
  ctx: Pick<Ctx, "config">,
  id: string,
  params: { to: string; data: MailData[MailKind] },
): string => encryptValue(ctx.config, mailParamsContext(id), JSON.stringify(params));

export const decryptParams = (ctx: Pick<Ctx, "config">, id: string, encrypted: string): string =>
  decryptValue(ctx.config, mailParamsContext(id), encrypted);

export function parseParams<Kind extends MailKind>(kind: Kind, text: string): { to: string; data: MailData[Kind] } {
  const { to, data } = Envelope.parse(JSON.parse(text));
  return { to, data: MAIL_KINDS[kind].schema.parse(data) as MailData[Kind] };
}

/** Stands for the recipient where limits and bounces look for rows: without the key nobody can guess it. */
export const recipientHash = (ctx: Pick<Ctx, "config">, to: string): string =>
  keyedHash(ctx.config.LOG_HMAC_KEY, "mail-recipient", normalizeEmail(to));

type QueuedMail<Kind extends MailKind> = {
  /** Holds the id of the mail, where a record keeps it to show its state; by default a new one. */
  id?: string;
  to: string;
  /** Names the account of a recipient who must still be allowed to read this when it leaves. */
  reader?: string;
  /** Names the subject of the mail: when it is deleted, mails about it that were not sent yet are erased. */
  about: Subject | null;
  data: MailData[Kind];
  notBefore?: Instant;
};

/**
 * Belongs in the batch of the change, after which the caller hands `deliverOutbox(ctx)` to `ctx.after`. Messages may
 * say that a mail is queued, never that it was sent.
 */
export function enqueueMail<Kind extends MailKind>(
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  kind: Kind,
  mail: QueuedMail<Kind>,
): Statement {
  return ctx.db.insert(outbox).values(outboxRow(ctx, kind, mail));
}

export const enqueueMails = <Kind extends MailKind>(
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  kind: Kind,
  mails: readonly QueuedMail<Kind>[],
): Statement[] =>
  insertRows(
    ctx.db,
    outbox,
    mails.map((mail) => outboxRow(ctx, kind, mail)),
  );

function outboxRow<Kind extends MailKind>(
  ctx: Pick<Ctx, "config" | "now" | "newId">,
  kind: Kind,
  { id = ctx.newId("mail"), to, reader, about, data, notBefore }: QueuedMail<Kind>,
) {
  const at = ctx.now();
  return {
    id,
    kind,
    to_hash: recipientHash(ctx, to),
    params_enc: encryptParams(ctx, id, { to, data }),
    user_id: reader ?? null,
    subject_type: about?.type ?? null,
    subject_id: about?.id ?? null,
    priority: MAIL_KINDS[kind].priority,
    status: "pending" as const,
    next_at: notBefore ?? at,
    created_at: at,
  };
}

/** For the batch that deletes the subjects. A mail that is being sent is not repeated. `ids`: a query for their ids. */
export const eraseMail = (db: Db, type: SubjectType, ids: SQL): Statement =>
  eraseWhere(db, sql`${outbox.subject_type} = ${type} AND ${outbox.subject_id} IN (${ids})`);

/** For mails that are no longer true; `ids` is a query. */
export const eraseMails = (db: Db, ids: SQL): Statement => eraseWhere(db, sql`${outbox.id} IN (${ids})`);

const eraseWhere = (db: Db, condition: SQL): Statement =>
  db
    .update(outbox)
    .set({
      params_enc: null,
      status: sql`case ${outbox.status} when 'pending' then 'dead' else ${outbox.status} end`,
      last_error: "erased",
    })
    .where(sql`${condition} AND ${outbox.params_enc} IS NOT NULL`);
