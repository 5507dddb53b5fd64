import { inboundMail } from "~/db/schema/inbound-mail";
import { receiveTestMail } from "~/features/mail/mail-checks.server";
import { normalizeEmail } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import { LEASE, MAIL_MAX, MAIL_PREFIX } from "./model";
import { processMail } from "./process-mail.server";

type IncomingMail = {
  from: string;
  to: string;
  headers: Pick<Headers, "get">;
  size: number;
  /** Returns the mail as it came, of just that size. */
  open: () => ReadableStream<Uint8Array>;
};

const ADDRESS_MAX = 320;

/**
 * Stores a mail and processes it after that. Throws where it could not be stored, so that the sender's server tries
 * again. Returns why the mail is refused for good; null: it is ours now.
 */
export async function receiveMail(ctx: Ctx, mail: IncomingMail): Promise<string | null> {
  if (mail.size > MAIL_MAX) return "This mail is larger than 25 MB.";
  if (!isForUs(ctx.config, mail.to)) return "There is no such address here.";
  if (await receiveTestMail(ctx, { to: mail.to, subject: mail.headers.get("subject") ?? "" })) return null;
  const at = ctx.now();
  const id = ctx.newId("inm");
  const row = {
    id,
    envelope_from: mail.from.slice(0, ADDRESS_MAX),
    envelope_to: mail.to.slice(0, ADDRESS_MAX),
    size: mail.size,
    object_key: `${MAIL_PREFIX}${crypto.randomUUID()}`,
    state: "received" as const,
    mail_key: mailKey(mail.headers),
    // Before it is read, so that an erasure finds it.
    from_address: normalizeEmail(addressIn(mail.headers.get("from") ?? mail.from)).slice(0, ADDRESS_MAX),
    attempts: 1,
    next_at: at,
    lease_until: at + LEASE,
    received_at: at,
  };
  await ctx.files.putStream(row.object_key, mail.open());
  await ctx.db.insert(inboundMail).values(row);
  ctx.after(processMail(ctx, row));
  return null;
}

const addressIn = (from: string): string => /<([^<>]*)>[^<>]*$/.exec(from)?.[1] ?? from;

/** Without a domain that is set, whatever is routed to us is ours. */
function isForUs({ MAIL_INBOUND_DOMAIN: domain }: Config, to: string): boolean {
  return !domain || to.toLowerCase().endsWith(`@${domain.toLowerCase()}`);
}

/** Sender and date are part of it: nobody takes the place of another's mail, and programs use ids again. */
function mailKey(headers: IncomingMail["headers"]): string | null {
  const id = headers.get("message-id")?.trim();
  return id ? fingerprintOf([id, headers.get("from"), headers.get("date")].join("\n")) : null;
}
