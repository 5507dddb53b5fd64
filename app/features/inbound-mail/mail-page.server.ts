import { eq, sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import type { StaffActor } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { describeError } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { badRequest, done, notFound } from "~/platform/responses.server";
import { MAIL_RETRIED, SENDER_BLOCKED, SENDER_UNBLOCKED } from "./labels";
import { MAIL_COLUMNS, type MailRow, mailTicket } from "./mail-list.server";
import { type MailDetails, READ_MAX } from "./model";
import { parseMail } from "./parse-mail.server";
import { mailPath } from "./paths";
import { trimQuote } from "./trim-quote";

type MailRecord = MailRow & {
  details: string;
  envelopeTo: string;
  size: number;
  objectKey: string;
  isBlocked: 0 | 1;
  fromAddress: string;
  /** Whoever has an account is not kept out by their address: their account can be. */
  mayBlock: 0 | 1;
};

const findMail = async (db: Db, id: string): Promise<MailRecord | null> =>
  (
    await db.all<MailRecord>(sql`SELECT ${MAIL_COLUMNS}, i.details, i.envelope_to AS envelopeTo, i.size,
        i.object_key AS objectKey, EXISTS (SELECT 1 FROM blocked_senders b WHERE b.email = i.from_address) AS isBlocked,
        i.from_address AS fromAddress,
        i.from_address <> '' AND NOT EXISTS (SELECT 1 FROM users u WHERE u.email = i.from_address AND u.status = 'active')
          AS mayBlock
      FROM inbound_mail i LEFT JOIN support_tickets t ON t.id = i.ticket_id WHERE i.id = ${id}`)
  )[0] ?? null;

/** Reads a mail with what it says, as text. Null: there is none. */
export async function readMailRecord(ctx: Pick<Ctx, "db" | "files" | "log">, id: string) {
  const [mail, { timeZone: zone }] = await Promise.all([findMail(ctx.db, id), getSettings(ctx.db)]);
  if (!mail) return null;
  const { details, isBlocked, mayBlock, fromAddress: _, objectKey, size, ...shown } = mail;
  const { tier, isLarge, hasWinmail, refusedFiles = [] }: MailDetails = JSON.parse(details);
  return {
    mail: {
      ...{ ...shown, size, isBlocked: isBlocked === 1, mayBlock: mayBlock === 1, ticket: mailTicket(mail) },
      ...{ tier: tier ?? null, isLarge: isLarge === true, hasWinmail: hasWinmail === true, refusedFiles },
    },
    content: await readContent(ctx, { objectKey, size }),
    zone,
  };
}

/** Null: the mail could not be read, or is not stored any more. */
async function readContent(
  { files, log }: Pick<Ctx, "files" | "log">,
  { objectKey, size }: { objectKey: string; size: number },
) {
  try {
    const stored = await files.get(objectKey);
    if (!stored) return null;
    const body = size <= READ_MAX ? new Uint8Array(await new Response(stored).arrayBuffer()) : stored;
    const parsed = await parseMail({ body, size });
    if (!parsed.ok) return null;
    const { text, wasTrimmed } = trimQuote(parsed.value);
    return { text, whole: wasTrimmed ? parsed.value.text : null, files: parsed.value.files.map(({ name }) => name) };
  } catch (error) {
    log("error", { event: "mail_not_shown", error: describeError(error) });
    return null;
  }
}

type Params = { id: string };

export const mailActions = formActions<StaffActor, Params, never>()({
  retry: {
    ability: "ticket.handle",
    purpose: "mail-retry",
    invalid: badRequest,
    run: async (ctx, _actor, { params: { id } }) => {
      const isEnded = sql`${eq(inboundMail.id, id)} AND ${inboundMail.state} IN ('held', 'failed')`;
      await commit(ctx.db, [
        ctx.db
          .update(inboundMail)
          .set({ state: "received", attempts: 0, next_at: ctx.now(), lease_until: null, reason: null })
          .where(isEnded),
      ]);
      return done({ to: mailPath(id), flash: { kind: "success", ...MAIL_RETRIED } });
    },
  },
  block: {
    ability: "ticket.handle",
    purpose: "mail-block",
    invalid: badRequest,
    run: async (ctx, { userId }, { params: { id } }) => {
      const mail = await findMail(ctx.db, id);
      if (!mail?.mayBlock) return notFound();
      await ctx.db
        .insert(blockedSenders)
        .values({ email: mail.fromAddress, blocked_by: userId, blocked_at: ctx.now() })
        .onConflictDoNothing();
      return done({ to: mailPath(id), flash: { kind: "success", ...SENDER_BLOCKED } });
    },
  },
  unblock: {
    ability: "ticket.handle",
    purpose: "mail-block",
    invalid: badRequest,
    run: async (ctx, _actor, { params: { id } }) => {
      const mail = await findMail(ctx.db, id);
      if (!mail) return notFound();
      await ctx.db.delete(blockedSenders).where(eq(blockedSenders.email, mail.fromAddress));
      return done({ to: mailPath(id), flash: { kind: "success", ...SENDER_UNBLOCKED } });
    },
  },
});
