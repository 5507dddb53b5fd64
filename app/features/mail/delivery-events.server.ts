import { sql } from "drizzle-orm";
import * as z from "zod";
import { commit, type Db, type Statement } from "~/db/client.server";
import { mailAddressHolds, mailChecks, mailDeliveryEvents, outbox } from "~/db/schema/outbox";
import { getSettings } from "~/features/settings/queries.server";
import { days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { recipientHash } from "./enqueue-mail.server";
import { ADDRESS_HELD, type HeldAddress } from "./model";

/*
 * The provider tells by events what became of a mail it has taken: again, late, in any order, and sometimes before we
 * have written down under which id it took the mail. So an event is stored first, and the state of a mail follows from
 * all events about it: the gravest counts.
 */

/** How long an event waits for the mail it names, and how long it is known as one that came already. */
const UNKNOWN_FOR = days(1);
const KNOWN_FOR = days(14);

const HARD_HOLD = days(7);
const SOFT_HOLD = hours(24);

const KINDS = ["deferred", "delivered", "complained", "rejected", "failed", "bounced"] as const;

/** https://developers.cloudflare.com/email-service/platform/event-subscriptions */
const DeliveryEvent = z.object({
  type: z.templateLiteral(["cf.email.sending.message.", z.enum(KINDS)]),
  payload: z.object({
    eventId: z.string().min(1).max(200),
    messageId: z.string().min(1).max(500),
    bounce: z.object({ type: z.string().optional() }).optional(),
    rejection: z.object({ reason: z.string().optional() }).optional(),
  }),
  metadata: z.object({ eventTimestamp: z.iso.datetime({ offset: true }).optional() }).optional(),
});

type EventRow = typeof mailDeliveryEvents.$inferInsert;

/** Null: it is no event about a mail. */
function eventRow(body: unknown, now: Instant): EventRow | null {
  const parsed = DeliveryEvent.safeParse(body);
  if (!parsed.success) return null;
  const { type, payload, metadata } = parsed.data;
  const kind = KINDS.find((one) => type.endsWith(`.${one}`)) ?? "deferred";
  const at = Math.min(now, metadata?.eventTimestamp ? Date.parse(metadata.eventTimestamp) : now);
  return {
    event_id: payload.eventId,
    provider_message_id: payload.messageId.replace(/^<|>$/g, "").slice(0, 200),
    kind,
    ...meaningOf(kind, payload, at),
    at,
    received_at: now,
  };
}

type Meaning = Pick<EventRow, "reason" | "holds" | "held_until">;

/** The provider suppresses an address for these times by itself, and one that has complained until it is told. */
function meaningOf(
  kind: EventRow["kind"],
  { bounce, rejection }: Pick<z.infer<typeof DeliveryEvent>["payload"], "bounce" | "rejection">,
  at: Instant,
): Meaning {
  switch (kind) {
    case "bounced": {
      const isSoft = bounce?.type === "soft";
      return {
        reason: isSoft ? "not_reachable" : "returned",
        holds: 1,
        held_until: at + (isSoft ? SOFT_HOLD : HARD_HOLD),
      };
    }
    case "rejected":
      return rejection?.reason === "suppressed"
        ? { reason: "E_RECIPIENT_SUPPRESSED", holds: 1, held_until: at + SOFT_HOLD }
        : { reason: "rejected" };
    case "complained":
      return { reason: "complained", holds: 1, held_until: null };
    case "failed":
      return { reason: "E_DELIVERY_FAILED" };
    default:
      return { reason: null };
  }
}

/** Takes events as the queue hands them over. What is none of them is logged and left out. */
export async function recordDeliveryEvents(
  ctx: Pick<Ctx, "db" | "log" | "now">,
  bodies: readonly unknown[],
): Promise<void> {
  const now = ctx.now();
  const rows = bodies.flatMap((body) => eventRow(body, now) ?? []);
  if (rows.length < bodies.length) ctx.log("warn", { event: "mail_event_unknown", count: bodies.length - rows.length });
  if (rows.length === 0) return;
  const ids = [...new Set(rows.map((row) => row.provider_message_id))];
  await commit(ctx.db, [
    ...rows.map((row) => ctx.db.insert(mailDeliveryEvents).values(row).onConflictDoNothing()),
    ...applyDeliveryEvents(ctx.db, ids, now),
  ]);
}

/** A report by mail marks a mail as the provider's own event does. Anybody can write one, so it holds no address. */
export const recordReturn = (
  { db, now }: Pick<Ctx, "db" | "now">,
  { reportId, providerId, at }: { reportId: string; providerId: string; at: Instant },
): Statement[] => [
  db
    .insert(mailDeliveryEvents)
    .values({
      ...{ event_id: `report:${reportId}`, provider_message_id: providerId, kind: "bounced", at, received_at: now() },
      reason: "returned",
    })
    .onConflictDoNothing(),
  ...applyDeliveryEvents(db, [providerId], now()),
];

/** As in the gravest event: by it a mail that came back stays so, whatever else is told of it. */
const GRAVEST = sql`
  SELECT provider_message_id, max(CASE kind WHEN 'bounced' THEN 5 WHEN 'failed' THEN 4 WHEN 'rejected' THEN 3
    WHEN 'complained' THEN 2 WHEN 'delivered' THEN 1 ELSE 0 END) AS weight, reason, kind
  FROM mail_delivery_events`;

/** Finds what arrived at the address of a mail `o` later than event `e`, which is late itself. */
const DELIVERED_SINCE = sql`
  SELECT 1 FROM mail_delivery_events d INDEXED BY delivery_events_by_time
    CROSS JOIN outbox x ON x.provider_message_id = d.provider_message_id AND x.to_hash = o.to_hash
  WHERE d.received_at > e.at AND d.kind = 'delivered' AND d.at > e.at`;

/** Belongs in the batch that writes down an id of the provider, and in that which stores events. */
export function applyDeliveryEvents(db: Db, providerIds: readonly string[], now: Instant): Statement[] {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(providerIds)}))`;
  const fresh = sql`mail_delivery_events e CROSS JOIN outbox o ON o.provider_message_id = e.provider_message_id
    WHERE e.provider_message_id IN ${ids} AND e.applied_at IS NULL`;
  return [
    db
      .update(outbox)
      .set({
        status: sql`CASE WHEN gravest.kind IN ('delivered', 'complained') THEN 'delivered'
          WHEN gravest.kind = 'failed' OR gravest.reason = 'rejected' THEN 'dead' ELSE 'bounced' END`,
        last_error: sql`gravest.reason`,
      })
      .from(sql`(${GRAVEST} WHERE provider_message_id IN ${ids} GROUP BY provider_message_id) gravest`)
      // One that waits or is being sent again has another id soon.
      .where(
        sql`${outbox.provider_message_id} = gravest.provider_message_id AND gravest.weight > 0
          AND +${outbox.status} IN ('sent', 'delivered', 'bounced', 'dead')`,
      ),
    // Once for each event: a repeated one does not bring back what a person has lifted.
    db
      .insert(mailAddressHolds)
      .select(
        sql`SELECT o.to_hash, e.reason, e.at, e.held_until FROM ${fresh} AND e.holds = 1
          AND (e.held_until IS NULL OR NOT EXISTS (${DELIVERED_SINCE}))`,
      )
      .onConflictDoUpdate({
        target: mailAddressHolds.to_hash,
        set: { reason: sql`excluded.reason`, since: sql`excluded.since`, until: sql`excluded.until` },
        setWhere: sql`${mailAddressHolds.until} < coalesce(excluded.until, 9e15)`,
      }),
    // What arrives later than it came back shows that the address works again.
    db.delete(mailAddressHolds).where(
      sql`${mailAddressHolds.until} IS NOT NULL AND ${mailAddressHolds.to_hash} IN (SELECT o.to_hash FROM ${fresh}
        AND e.kind = 'delivered' AND e.at > ${mailAddressHolds.since})`,
    ),
    db
      .update(mailChecks)
      .set({ arrived_at: sql`arrived.at`, arrival: "delivered" })
      .from(sql`(SELECT o.id, e.at FROM ${fresh} AND e.kind = 'delivered') arrived`)
      .where(
        sql`${mailChecks.direction} = 'out' AND ${mailChecks.mail_id} = arrived.id AND ${mailChecks.arrived_at} IS NULL`,
      ),
    db
      .update(mailDeliveryEvents)
      .set({ applied_at: now })
      .where(
        sql`${mailDeliveryEvents.provider_message_id} IN ${ids} AND ${mailDeliveryEvents.applied_at} IS NULL
          AND EXISTS (SELECT 1 FROM outbox o WHERE o.provider_message_id = mail_delivery_events.provider_message_id)`,
      ),
  ];
}

/** Selects the events that no mail has claimed in time, and those that nothing can repeat any more. */
export const isForgottenEvent = (now: Instant) =>
  sql`received_at < ${now - UNKNOWN_FOR} AND (applied_at IS NULL OR received_at < ${now - KNOWN_FOR})`;

/** Returns until when nothing but security mail goes to an address. Null: it is not held. */
export async function findHeldAddress(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  email: string,
): Promise<HeldAddress | null> {
  const [hold] = await ctx.db.all<
    Pick<HeldAddress, "until" | "reason">
  >(sql`SELECT until, reason FROM mail_address_holds
    WHERE to_hash = ${recipientHash(ctx, email)} AND (until IS NULL OR until > ${ctx.now()})`);
  return hold ? { ...hold, email, zone: (await getSettings(ctx.db)).timeZone } : null;
}

/** Lets mail to an address leave again, with what waits for it. */
export function liftAddressHold(ctx: Pick<Ctx, "config" | "db" | "now">, email: string): Statement[] {
  const hash = recipientHash(ctx, email);
  return [
    ctx.db.delete(mailAddressHolds).where(sql`${mailAddressHolds.to_hash} = ${hash}`),
    ctx.db
      .update(outbox)
      .set({ next_at: ctx.now(), last_error: null })
      .where(
        // As in the partial index.
        sql`${outbox.to_hash} = ${hash} AND +${outbox.status} = 'pending'
          AND ${outbox.last_error} = ${sql.raw(`'${ADDRESS_HELD}'`)}`,
      ),
  ];
}

/** Until when the addresses of mails are held that are about to leave; null: until a person lifts it. */
export const readHeldMails = (
  { db, now }: Pick<Ctx, "db" | "now">,
  ids: readonly string[],
): Promise<{ id: string; until: Instant | null }[]> =>
  db.all(sql`SELECT o.id, h.until FROM json_each(${JSON.stringify(ids)}) claimed
    CROSS JOIN outbox o ON o.id = claimed.value CROSS JOIN mail_address_holds h ON h.to_hash = o.to_hash
    WHERE h.until IS NULL OR h.until > ${now()}`);
