import { type SQL, sql } from "drizzle-orm";
import { can } from "~/access/policy";
import { countUpTo, type Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { OPENED_AGAIN } from "~/features/mail/lease-outbox.server";
import { listMailChecks } from "~/features/mail/mail-checks.server";
import { pauseWords, readMailPause, sentOfLimit, sentToday } from "~/features/mail/mail-pause.server";
import { failureWords, MAIL_STATUS_LABELS, type MailStatus, UNDELIVERED } from "~/features/mail/model";
import { MAIL_SETUP_PATH } from "~/features/settings/paths";
import { getSettings } from "~/features/settings/queries.server";
import { RETRY_MAIL_PURPOSE } from "~/features/tickets/mails/delivery.server";
import { staffTicketPath } from "~/features/tickets/paths";
import { isNamed } from "~/features/tickets/queries.server";
import { referenceNumber } from "~/lib/ids";
import { type CappedCount, COUNT_LIMIT, capped, cappedText } from "~/lib/numbers";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { formatInstant } from "~/ui/text";
import {
  CLASS_LABELS,
  isListedState,
  type ListedState,
  notTaken,
  REASON_LABELS,
  sizeInWords,
  TIER_LABELS,
} from "./labels";
import {
  BLOCK_PURPOSE,
  DISCARD_PURPOSE,
  type InboundState,
  isUndecided,
  type ListedMail,
  type MailDetails,
  type MailFacts,
  type MailOrigin,
  PLACE_PURPOSE,
  RETRY_PURPOSE,
  SENDABLE_REASONS,
} from "./model";
import { mailListPath } from "./paths";

const MAILS_LISTED = 50;

export type MailRow = Omit<ListedMail, "ticket" | "isUndecided" | "mayBlock" | "isOfStaff" | "isSendable"> & {
  ticketNumber: number | null;
  messageId: string | null;
  mayBlock: number;
  isOfStaff: number;
  /** Who of the staff has sent it and works here still. */
  colleagueId: string | null;
  couldShowMore: number;
};

/** Whoever has an account is not kept out by their address: their account can be. */
export const mayBeBlocked = sql`i.from_address <> ''
  AND NOT EXISTS (SELECT 1 FROM users u WHERE u.email = i.from_address AND u.status = 'active')`;

export const MAIL_COLUMNS = sql`i.id, i.state, i.class, i.from_name AS name,
  coalesce(nullif(i.from_address, ''), i.envelope_from) AS address, i.subject, i.reason, i.received_at AS receivedAt,
  i.message_id AS messageId, t.number AS ticketNumber, ${mayBeBlocked} AS mayBlock,
  EXISTS (SELECT 1 FROM users u WHERE u.email = i.from_address AND u.is_staff = 1) AS isOfStaff,
  (SELECT u.id FROM users u WHERE u.email = i.from_address AND u.is_staff = 1 AND u.status = 'active') AS colleagueId,
  coalesce(i.details ->> '$.couldShowMore', 0) AS couldShowMore`;

/** Tells whether somebody may send what a colleague has mailed: they wrote it, or they may for all. */
export const maySendFor = (actor: StaffActor, authorId: string): boolean =>
  actor.userId === authorId || can(actor, "ticket.send_for_others");

export function listedMail(actor: StaffActor, stored: MailRow): ListedMail {
  const { ticketNumber, messageId, mayBlock, isOfStaff, colleagueId, couldShowMore, ...row } = stored;
  const reference = ticketNumber === null ? null : referenceNumber("ticket", ticketNumber);
  return {
    ...row,
    ticket: reference === null ? null : { reference, path: staffTicketPath(reference) },
    isUndecided: isUndecided({ ...row, message_id: messageId }),
    mayBlock: mayBlock === 1,
    isOfStaff: isOfStaff === 1,
    // What it says is read only when it is opened, and may still show that it must not be sent.
    isSendable:
      ticketNumber !== null &&
      row.reason !== null &&
      SENDABLE_REASONS.has(row.reason) &&
      couldShowMore !== 1 &&
      colleagueId !== null &&
      maySendFor(actor, colleagueId),
  };
}

/** Limits what is read of a ticket to which a storm of mail has come. */
const ORIGINS_READ = 100;
const HELD_SHOWN = 3;

type OriginRow = Pick<MailFacts, "class" | "address" | "reason" | "size"> & {
  id: string;
  writtenAs: string;
  details: string;
  isHeld: number;
};

/**
 * Reads which of a ticket's messages came by mail, by their id; that of the ticket stands for its description. `held`:
 * mail for the ticket that staff have to decide.
 */
export async function listMailOfTicket(
  db: Db,
  ref: string,
): Promise<{ origins: Record<string, MailOrigin>; held: { id: string; address: string; why: string }[] }> {
  const rows = await db.all<OriginRow>(sql`
    SELECT coalesce(message_id, ticket_id) AS writtenAs, id, class, from_address AS address, reason, details, size,
      state = 'held' AS isHeld FROM (
      SELECT * FROM inbound_mail WHERE ticket_id = (SELECT t.id FROM support_tickets t WHERE ${isNamed(ref)})
      ORDER BY received_at DESC LIMIT ${ORIGINS_READ}) WHERE effect IS NOT NULL OR state = 'held'`);
  return {
    origins: Object.fromEntries(
      rows
        .filter(({ isHeld }) => isHeld === 0)
        .map(({ id, writtenAs, details, ...row }) => [writtenAs, { id, ...originOf(row, JSON.parse(details)) }]),
    ),
    held: rows
      .filter(({ isHeld }) => isHeld === 1)
      .slice(0, HELD_SHOWN)
      .map(({ id, address, reason }) => ({ id, address, why: reason ? REASON_LABELS[reason] : "" })),
  };
}

function originOf(
  { class: mailClass, address, reason, size }: Pick<OriginRow, "class" | "address" | "reason" | "size">,
  details: MailDetails,
): Omit<MailOrigin, "id"> {
  const { tier, checked, isTrimmed } = details;
  const words = [
    `It came by mail${address ? ` from ${address}` : ""}.`,
    checked ? `The sender is checked (${checked}).` : "The sender is not checked.",
    ...(reason === "placed" ? [REASON_LABELS.placed] : tier ? [`The ticket was found ${TIER_LABELS[tier]}.`] : []),
    ...(mailClass && mailClass !== "person" ? [`${CLASS_LABELS[mailClass].title}.`] : []),
    ...(isTrimmed ? ["What it quotes is left out."] : []),
  ].join(" ");
  return { isChecked: Boolean(checked), words, missing: notTaken(details).join(" "), size: sizeInWords(size) };
}

const countInState = (state: InboundState) => countUpTo(sql`SELECT 1 FROM inbound_mail WHERE state = ${state}`);

/** Counts the mail that waits for staff to say where it belongs. */
export async function countUndecided(db: Db): Promise<CappedCount> {
  const [row] = await db.all<{ count: number }>(
    sql`SELECT ${countInState("held")} + ${countInState("failed")} AS count`,
  );
  return capped(row?.count ?? 0);
}

/** Selects the mails about tickets of one state in which they have not arrived, or perhaps not, the newest first. */
const undeliveredIn = (status: string, isHeld = false) => sql`SELECT * FROM (
  SELECT * FROM outbox INDEXED BY ${sql.raw(isHeld ? "outbox_held_by_address" : "outbox_by_status")}
  WHERE status = ${status} AND subject_type = 'ticket' ${isHeld ? sql`AND last_error = 'address_held'` : sql``}
  ORDER BY created_at DESC LIMIT ${COUNT_LIMIT + 1})`;

const undelivered: SQL = sql.join(
  [...UNDELIVERED.map((status) => undeliveredIn(status)), undeliveredIn("pending", true)],
  sql` UNION ALL `,
);

type UndeliveredMail = {
  id: string;
  /** Null: whoever it was for is not known any more. */
  to: string | null;
  title: string;
  why: string;
  at: Instant;
  ticket: { reference: string; path: string };
  isUncertain: boolean;
  /** False: what it said is not known any more. */
  isSendable: boolean;
};

type UndeliveredRow = Pick<UndeliveredMail, "id" | "to" | "title" | "at"> & {
  isSendable: number;
  status: MailStatus;
  reason: string | null;
  number: number;
  isHeld: number;
  heldUntil: Instant | null;
};

async function listUndelivered(db: Db, zone: string): Promise<UndeliveredMail[]> {
  const rows = await db.all<UndeliveredRow>(sql`
    SELECT outbox.id, coalesce(u.email, c.email) AS "to", t.title, t.number, outbox.status,
      outbox.last_error AS reason, outbox.created_at AS at, outbox.status = 'pending' AS isHeld, h.until AS heldUntil,
      ${OPENED_AGAIN} IS NOT NULL AS isSendable
    FROM (${undelivered}) outbox CROSS JOIN support_tickets t ON t.id = outbox.subject_id
      LEFT JOIN users u ON u.id = outbox.user_id LEFT JOIN ticket_copies c ON c.id = outbox.copy_id
      LEFT JOIN mail_address_holds h ON h.to_hash = outbox.to_hash
    ORDER BY outbox.created_at DESC, outbox.id LIMIT ${MAILS_LISTED}`);
  return rows.map(({ status, reason, number, isHeld, heldUntil, isSendable, ...row }) => {
    const reference = referenceNumber("ticket", number);
    const until = heldUntil === null ? "it is sent again" : formatInstant(heldUntil, zone, "short");
    const more = isHeld === 1 ? ` until ${until}` : reason ? `: ${failureWords(reason)}` : "";
    const why = `${MAIL_STATUS_LABELS[isHeld === 1 ? "held" : status]}${more}.`;
    return {
      ...{ ...row, why, isUncertain: status === "uncertain", isSendable: isSendable === 1 },
      ticket: { reference, path: staffTicketPath(reference) },
    };
  });
}

type MailTotals = Record<"held" | "failed" | "automatic" | "bounced" | "undelivered" | "waiting" | "sent", number> & {
  lastIn: Instant | null;
};

/** Reads how much mail there is, and how it comes and goes. Each number is counted up to a limit, by an index. */
async function readTotals(ctx: Pick<Ctx, "config" | "db" | "now">) {
  const { config, db, now } = ctx;
  const waits = sql`SELECT 1 FROM outbox INDEXED BY outbox_by_status WHERE status = 'pending'`;
  const [[totals], pause, checks, { provenInboundDomain, timeZone }] = await Promise.all([
    db.all<MailTotals>(sql`SELECT ${countInState("held")} AS held, ${countInState("failed")} AS failed,
      ${countInState("automatic")} AS automatic, ${countInState("bounced")} AS bounced, ${countUpTo(undelivered)} AS undelivered, ${countUpTo(waits)} AS waiting,
      ${sentToday(now())} AS sent,
      (SELECT received_at FROM inbound_mail ORDER BY received_at DESC LIMIT 1) AS lastIn`),
    readMailPause(db),
    listMailChecks(db),
    getSettings(db),
  ]);
  if (!totals) throw new Error("Nothing was counted");
  const text = (count: number, limit = COUNT_LIMIT) => cappedText(capped(count, limit));
  const { held, failed, automatic, bounced, undelivered: lost, waiting, sent, lastIn } = totals;
  const arrivals = checks.flatMap(({ arrived_at: at }) => (at === null ? [] : [at]));
  const isProven = provenInboundDomain !== "" && provenInboundDomain === config.MAIL_INBOUND_DOMAIN;
  const ofState = { held: text(held), failed: text(failed), automatic: text(automatic), bounced: text(bounced + lost) };
  return {
    counts: ofState as Partial<Record<ListedState, string>>,
    health: {
      lastIn,
      waiting: waiting === 0 ? "none" : text(waiting),
      sentToday: sentOfLimit(sent, config),
      /** Null: mail leaves. */
      delayed: pause ? `mail waits${pauseWords(pause, ctx, timeZone)}` : null,
      isProven,
      provenAt: isProven && arrivals.length > 0 ? Math.max(...arrivals) : null,
    },
  };
}

/** Reads the mails of a state, the newest first. `ofOpen`: the state of the mail that is read beside them. */
export async function readMailList(
  ctx: Pick<Ctx, "config" | "db" | "newToken" | "now" | "request" | "signedIn">,
  actor: StaffActor,
  ofOpen: InboundState = "held",
) {
  const { db } = ctx;
  const params = ctx.request.url.searchParams;
  const otherwise = isListedState(ofOpen) ? ofOpen : "all";
  const asked = params.get("state") ?? otherwise;
  const state: ListedState = isListedState(asked) ? asked : otherwise;
  const before = /^\d{1,15}$/.test(params.get("before") ?? "") ? Number(params.get("before")) : null;
  const isOfState = state === "all" ? sql`` : sql`AND i.state = ${state}`;
  const { timeZone: zone } = await getSettings(db);
  const [rows, totals, undelivered] = await Promise.all([
    db.all<MailRow>(sql`SELECT ${MAIL_COLUMNS} FROM inbound_mail i LEFT JOIN support_tickets t ON t.id = i.ticket_id
      WHERE i.received_at < ${before ?? Number.MAX_SAFE_INTEGER} ${isOfState}
      ORDER BY i.received_at DESC LIMIT ${MAILS_LISTED + 1}`),
    readTotals(ctx),
    state === "bounced" ? listUndelivered(db, zone) : ([] as UndeliveredMail[]),
  ]);
  const shown = rows.slice(0, MAILS_LISTED);
  const last = shown.at(-1);
  return {
    ...{ state, before, zone },
    setUpTo: can(actor, "settings.change") ? MAIL_SETUP_PATH : null,
    ...totals,
    undelivered,
    mails: shown.map((row) => listedMail(actor, row)),
    tokens: {
      to_ticket: issueFormToken(ctx, PLACE_PURPOSE),
      block: issueFormToken(ctx, BLOCK_PURPOSE),
      discard: issueFormToken(ctx, DISCARD_PURPOSE),
      retry: issueFormToken(ctx, RETRY_PURPOSE),
      retry_mail: issueFormToken(ctx, RETRY_MAIL_PURPOSE),
    },
    earlier: last && rows.length > MAILS_LISTED ? mailListPath(state, last.receivedAt) : null,
  };
}

export type MailListRead = Awaited<ReturnType<typeof readMailList>>;
