import { sql } from "drizzle-orm";
import { waitInWords } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { NotNow } from "~/platform/not-now.server";
import { takeLimitOfPeriod } from "~/platform/rate-limit.server";
import { RATE_LIMITS } from "~/platform/rate-limits";
import type { TicketActor } from "./model";

/** Names what is counted: a new ticket, or a reply or another change of one. */
type Work = "ticket" | "change";

const DONE: Record<Work, string> = { ticket: "opened many tickets", change: "changed tickets very often" };
const POSSIBLE: Record<Work, string> = {
  ticket: "open %d tickets",
  change: "write or change something on tickets %d times",
};

/**
 * Counts what somebody is about to do to a ticket: each new one is mailed to all staff, and each reply to everybody on
 * it. First the person, so that what one of them does in vain uses up nothing of what their colleagues may do. Returns
 * why it is one too many; null: it is not.
 */
export async function takeTicketLimit(
  { db, now }: Pick<Ctx, "db" | "now">,
  { side, userId }: TicketActor,
  { work, organizationId }: { work: Work; organizationId: string },
): Promise<NotNow | null> {
  if (side === "system" || userId === null) return null;
  const at = now();
  const counting = { select: db.select, insert: db.insertBesideReads };
  const tooMany = (who: string, until: Instant) =>
    new NotNow(
      "rate_limited",
      until,
      `${who}. Try again in ${waitInWords(until, at)}, or call us if it can't wait that long.`,
    );
  const [ownUntil, [organization]] = await Promise.all([
    takeLimitOfPeriod(counting, `${work}_${side === "staff" ? "staff" : "user"}`, userId, at),
    db.all<{ isNew: number }>(
      sql`SELECT needs_review_at IS NOT NULL AS isNew FROM organizations WHERE id = ${organizationId}`,
    ),
  ]);
  if (ownUntil !== null) return tooMany(`You have ${DONE[work]} in a short time`, ownUntil);
  if (side === "staff") return null;
  const type = organization?.isNew ? (`${work}_new_org` as const) : (`${work}_org` as const);
  const until = await takeLimitOfPeriod(counting, type, organizationId, at);
  if (until === null) return null;
  return tooMany(
    organization?.isNew
      ? `Your organization is new here: it can ${POSSIBLE[work].replace("%d", String(RATE_LIMITS[type].limit))} a day until we have reviewed it`
      : `Your organization has ${DONE[work]} in a short time`,
    until,
  );
}
