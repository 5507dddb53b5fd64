import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { getSettings } from "~/features/settings/queries.server";
import { staffTicketPath } from "~/features/tickets/paths";
import { referenceNumber } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import { LISTED_STATES, type ListedState } from "./labels";
import type { EndReason, InboundState } from "./model";
import { mailListPath } from "./paths";

const MAILS_LISTED = 50;

export type MailRow = {
  id: string;
  state: InboundState;
  name: string;
  address: string;
  subject: string;
  reason: EndReason | null;
  receivedAt: Instant;
  ticketNumber: number | null;
};

export const MAIL_COLUMNS = sql`i.id, i.state, i.from_name AS name, coalesce(nullif(i.from_address, ''), i.envelope_from) AS address,
  i.subject, i.reason, i.received_at AS receivedAt, t.number AS ticketNumber`;

export const mailTicket = ({ ticketNumber }: Pick<MailRow, "ticketNumber">) => {
  if (ticketNumber === null) return null;
  const reference = referenceNumber("ticket", ticketNumber);
  return { reference, path: staffTicketPath(reference) };
};

/** Reads the mails of a state, the newest first. */
export async function readMailList(db: Db, params: URLSearchParams) {
  const asked = params.get("state") ?? "held";
  const state: ListedState = asked in LISTED_STATES ? (asked as ListedState) : "held";
  const before = /^\d{1,15}$/.test(params.get("before") ?? "") ? Number(params.get("before")) : null;
  const isOfState = state === "all" ? sql`` : sql`AND i.state = ${state}`;
  const [rows, { timeZone: zone }] = await Promise.all([
    db.all<MailRow>(sql`SELECT ${MAIL_COLUMNS} FROM inbound_mail i LEFT JOIN support_tickets t ON t.id = i.ticket_id
      WHERE i.received_at < ${before ?? Number.MAX_SAFE_INTEGER} ${isOfState}
      ORDER BY i.received_at DESC LIMIT ${MAILS_LISTED + 1}`),
    getSettings(db),
  ]);
  const shown = rows.slice(0, MAILS_LISTED);
  const last = shown.at(-1);
  return {
    state,
    zone,
    mails: shown.map((row) => ({ ...row, ticket: mailTicket(row) })),
    earlier: last && rows.length > MAILS_LISTED ? mailListPath(state, last.receivedAt) : null,
  };
}
