import { asc, eq, sql } from "drizzle-orm";
import { inboundMail } from "~/db/schema/inbound-mail";
import { outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketMessages } from "~/db/schema/tickets";
import { receiveMail } from "~/features/inbound-mail/receive-mail.server";
import { threadTag } from "~/features/tickets/mails/compose-mails.server";
import type { Ctx } from "~/platform/context.server";
import type { TestContext } from "./context";

let mails = 0;

export type MailOptions = {
  from: string;
  to?: string;
  envelopeFrom?: string;
  subject?: string;
  text?: string;
  messageId?: string | null;
  headers?: Record<string, string | undefined>;
  files?: readonly { name: string; type?: string; bytes: string | Uint8Array }[];
};

const BOUNDARY = "==part";

/** Returns a mail as it travels. Each has an id of its own unless one is given. */
export function rawMail({ from, to, subject, text, messageId, headers, files = [] }: MailOptions): string {
  mails += 1;
  const id = messageId === undefined ? `<mail-${mails}@larkspur.example>` : messageId;
  const lines = {
    From: from,
    To: to ?? "support@wrenfield.example",
    Subject: subject ?? "Printer",
    Date: "Wed, 18 Nov 2026 15:00:00 +0000",
    ...(id ? { "Message-ID": id } : {}),
    "MIME-Version": "1.0",
    ...headers,
  };
  const plain = `Content-Type: text/plain; charset=utf-8\r\n\r\n${(text ?? "It blinks again.").replaceAll("\n", "\r\n")}\r\n`;
  const head = Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  if (files.length === 0) return head + plain;
  const parts = files.map(
    ({ name, type = "application/octet-stream", bytes }) =>
      `--${BOUNDARY}\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`,
  );
  const type = `Content-Type: multipart/mixed; boundary="${BOUNDARY}"\r\n\r\n`;
  return `${head}${type}--${BOUNDARY}\r\n${plain}${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** Returns the report of a mail program that one of our mails was not delivered. */
export const failureReport = (messageId: string, recipient: string): string =>
  [
    "From: Mail Delivery System <mailer-daemon@mx.example>",
    "To: support@wrenfield.example",
    "Subject: Undelivered Mail Returned to Sender",
    `Message-ID: <report-${messageId}>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "It could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    "Action: failed",
    "Status: 5.1.1",
    "",
    "--b",
    "Content-Type: message/rfc822",
    "",
    `Message-ID: <${messageId}>`,
    "Subject: [T-1] Printer",
    "",
    "A quoted part.",
    "--b--",
    "",
  ].join("\r\n");

/** Hands a raw mail over as the platform does, without waiting for what happens to it. */
export function handOver(ctx: Ctx, raw: string, envelope: { from: string; to: string }): Promise<string | null> {
  const bytes = new TextEncoder().encode(raw);
  const end = raw.indexOf("\r\n\r\n");
  const headers = new Headers();
  for (const line of raw.slice(0, end).split("\r\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 2));
  }
  const open = () => new Blob([bytes]).stream().pipeThrough(new FixedLengthStream(bytes.byteLength));
  return receiveMail(ctx, { ...envelope, headers, size: bytes.byteLength, open });
}

const addressOf = (from: string) => /<(.+)>/.exec(from)?.[1] ?? from;

/** Receives a mail and returns its row once it has been processed. */
export async function mailIn(ctx: TestContext, options: MailOptions): Promise<typeof inboundMail.$inferSelect> {
  const { from, to, envelopeFrom = addressOf(from) } = options;
  return deliver(ctx, rawMail(options), { from: envelopeFrom, to });
}

/** Receives a raw mail, as often at once as is said, and returns its last row once all have been processed. */
export async function deliver(
  ctx: TestContext,
  raw: string,
  { from, to = "support@wrenfield.example", times = 1 }: { from: string; to?: string; times?: number },
): Promise<typeof inboundMail.$inferSelect> {
  const refusals = await Promise.all(Array.from({ length: times }, () => handOver(ctx, raw, { from, to })));
  for (const refusal of refusals) if (refusal !== null) throw new Error(refusal);
  await ctx.settle();
  const row = (await mailRows(ctx)).at(-1);
  if (!row) throw new Error("No mail was stored");
  return row;
}

/** Forgets all mail that came or waits to leave, and how often anybody has written. */
export const clearMail = ({ db }: Ctx) =>
  db.batch([db.delete(inboundMail), db.delete(outbox), db.delete(rateLimitAttempts)]);

/** Lists what was written on a ticket, in the order in which it was stored. */
export const messagesOf = (ctx: Ctx, ticketId: string): Promise<(typeof ticketMessages.$inferSelect)[]> =>
  ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticketId)).orderBy(asc(sql`rowid`));

export const mailRows = (ctx: Ctx): Promise<(typeof inboundMail.$inferSelect)[]> =>
  ctx.db.select().from(inboundMail).orderBy(asc(sql`rowid`));

export const rowsOfTicket = (ctx: Ctx, ticketId: string) =>
  ctx.db.select().from(inboundMail).where(eq(inboundMail.ticket_id, ticketId)).orderBy(asc(sql`rowid`));

/** Returns the reply address of one person on one ticket. */
export const replyAddress = (ctx: Ctx, ticket: { id: string; number: number }, userId: string): string =>
  `support+${tokenOf(ctx, ticket, userId)}@wrenfield.example`;

export const tokenOf = (ctx: Ctx, { id, number }: { id: string; number: number }, userId: string): string =>
  `t${number}.${threadTag(ctx.config, { ticketId: id, userId })}`;
