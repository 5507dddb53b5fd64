import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { letterMonths, letters } from "~/db/schema/letters";
import { readMetrics } from "~/features/analytics/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import type { PlanNames } from "~/features/settings/model";
import { getSettings, planNamesIn } from "~/features/settings/queries.server";
import { countUses, usesInWords } from "~/features/tickets/allowances/ledger.server";
import { contractYearOf } from "~/features/tickets/model";
import { lateReason } from "~/features/tickets/sla/targets.server";
import { referenceNumber } from "~/lib/ids";
import { addDays, dayIn, hours, type Instant, startOfDay, zonedInstant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import {
  CATEGORIES_LISTED,
  daysOfMonth,
  type LetterMetrics,
  type LetterText,
  MISSES_LISTED,
  type Miss,
  WAITING_LISTED,
} from "./model";

type LetterOrganization = {
  id: string;
  number: number;
  name: string;
  plan: OrganizationPlan;
  contractStartedAt: Instant | null;
  people: number;
  withoutSecondFactor: number;
};

export async function gatherLetterMetrics(
  db: Db,
  organization: LetterOrganization,
  { month, zone, planNames }: { month: string; zone: string; planNames: PlanNames },
): Promise<LetterMetrics> {
  const { id, name, plan, contractStartedAt, people, withoutSecondFactor } = organization;
  const { from, to } = daysOfMonth(month);
  const [metrics, misses, asked, uses, waiting] = await Promise.all([
    readMetrics(db, { from, to, organizationId: id }),
    listMisses(db, id, { from, to }),
    listCategories(db, id, { from, to }),
    countUses(db, id, startOfDay(zone, addDays(to, 1))),
    listWaiting(db, id),
  ]);
  const year = contractYearOf({ contractStartedAt, zone }, startOfDay(zone, to));
  return {
    organization: name,
    month,
    zone,
    plan: planNames[plan],
    people,
    withoutSecondFactor,
    created: metrics.created,
    resolved: metrics.resolved,
    open: metrics.backlog.reduce((sum, count) => sum + count, 0),
    promises: metrics.promises,
    firstResponse: { median: metrics.firstResponse.open.median, n: metrics.firstResponse.open.n },
    misses,
    asked,
    allowances: usesInWords({ plan }, uses, year),
    waiting,
  };
}

/**
 * What holds now comes into the draft: name, people, waiting tickets, late replies. The month's metrics stay as they
 * were.
 */
export async function withPresent(db: Db, organizationId: string, metrics: LetterMetrics): Promise<LetterMetrics> {
  const [answers, [present], waiting] = await Promise.all([
    listAnswers(db, organizationId, metrics.misses),
    db.all<Pick<LetterMetrics, "organization" | "people" | "withoutSecondFactor">>(sql`
      SELECT name AS organization, active_members AS people, members_without_mfa AS withoutSecondFactor
      FROM organizations WHERE id = ${organizationId}`),
    listWaiting(db, organizationId),
  ]);
  return {
    ...metrics,
    ...present,
    misses: metrics.misses.map((miss, index) => ({
      ...miss,
      answeredAt: miss.answeredAt ?? answers[index]?.at ?? null,
      explained: answers[index]?.explained ?? miss.explained ?? null,
    })),
    waiting,
  };
}

async function listWaiting(db: Db, organizationId: string): Promise<LetterMetrics["waiting"]> {
  const rows = await db.all<{ number: number; title: string }>(sql`
    SELECT number, title FROM support_tickets INDEXED BY active_tickets_of_organization
    WHERE organization_id = ${organizationId} AND status IN ('open', 'in_progress', 'waiting_for_customer')
      AND status = 'waiting_for_customer' ORDER BY due_rank, number LIMIT ${WAITING_LISTED}`);
  return rows.map(({ number, title }) => ({ ticket: referenceNumber("ticket", number), title }));
}

type Answer = { at: Instant | null; explained: string | null };

/** In the order of the misses; null where no reply has come. */
async function listAnswers(db: Db, organizationId: string, misses: readonly Miss[]): Promise<Answer[]> {
  const wanted = misses.map(({ ticket, dueAt }) => ({ ticket, dueAt }));
  return db.all<Answer>(sql`
    SELECT ${replyAfter(sql`t.id`, sql`w.value ->> 'dueAt'`)} AS at,
      ${lateReason(sql`t.id`, sql`w.value ->> 'dueAt'`)} AS explained FROM json_each(${JSON.stringify(wanted)}) w
    LEFT JOIN support_tickets t ON t.number = CAST(substr(w.value ->> 'ticket', 3) AS INTEGER)
      AND t.organization_id = ${organizationId}
    ORDER BY w.key`);
}

const replyAfter = (ticketId: SQL, at: SQL): SQL => sql`(
  SELECT m.created_at FROM ticket_messages m INDEXED BY public_messages_in_order
  WHERE m.ticket_id = ${ticketId} AND ${isPublic()} AND m.side = 'staff' AND m.created_at > ${at}
  ORDER BY m.created_at LIMIT 1)`;

type Days = { from: string; to: string };

/** With the reply that came after all. */
async function listMisses(db: Db, organizationId: string, { from, to }: Days): Promise<Miss[]> {
  const rows = await db.all<Omit<Miss, "ticket"> & { number: number }>(sql`
    SELECT t.number, t.title, f.at AS dueAt, ${replyAfter(sql`t.id`, sql`f.at`)} AS answeredAt,
      ${lateReason(sql`t.id`, sql`f.at`)} AS explained
    FROM ticket_metrics f INDEXED BY metrics_of_organization JOIN support_tickets t ON t.id = f.ticket_id
    WHERE f.organization_id = ${organizationId} AND f.kind = 'missed' AND f.day BETWEEN ${from} AND ${to}
    ORDER BY f.day, f.id LIMIT ${MISSES_LISTED}`);
  return rows.map(({ number, ...miss }) => ({ ...miss, ticket: referenceNumber("ticket", number) }));
}

const listCategories = (db: Db, organizationId: string, { from, to }: Days): Promise<LetterMetrics["asked"]> =>
  db.all(sql`
    SELECT coalesce(t.category, 'Other') AS category, count(*) AS count
    FROM ticket_metrics f INDEXED BY metrics_of_organization JOIN support_tickets t ON t.id = f.ticket_id
    WHERE f.organization_id = ${organizationId} AND f.kind = 'created' AND f.day BETWEEN ${from} AND ${to}
    GROUP BY 1 ORDER BY count DESC, category LIMIT ${CATEGORIES_LISTED}`);

/** On the first day of a month, in the site's time zone. */
const DRAFTED_AT = hours(8);

/** Organizations in one run, and tickets that may wait to be measured meanwhile, or days to be summed. */
const CHUNK = 20;
const UNMEASURED_MAX = 10;

const NO_TEXT: LetterText = { sentences: [], reasons: [] };

/** The month before, from the morning of the first day on. Null: none is due. */
export function dueMonth(zone: string, now: Instant): string | null {
  const month = dayIn(zone, now).slice(0, 7);
  const first = `${month}-01`;
  return now < zonedInstant(zone, first, DRAFTED_AT) ? null : addDays(first, -1).slice(0, 7);
}

/** Goes on where the last run ended; an organization that has its letter keeps it. */
export async function draftLetters(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  const nothing = { count: 0, more: false };
  const now = ctx.now();
  const settings = await getSettings(db);
  const zone = settings.timeZone;
  const month = dueMonth(zone, now);
  if (month === null) return nothing;
  const [[progress], [waiting]] = await Promise.all([
    db.all<{ upTo: number; isOver: number }>(sql`
      SELECT done_up_to AS upTo, finished_at IS NOT NULL AS isOver FROM letter_months WHERE month = ${month}`),
    db.all<{ count: number }>(
      sql`SELECT count(*) AS count FROM (
        SELECT 1 FROM support_tickets WHERE measured_version IS NOT version AND number > 0
        UNION ALL SELECT 1 FROM days_to_sum LIMIT ${UNMEASURED_MAX})`,
    ),
  ]);
  if (progress?.isOver) return nothing;
  // Metrics that lag behind would be those of the letter for ever: the next run looks again.
  if (waiting?.count === UNMEASURED_MAX) return { count: 0, more: true };
  const organizations = await db.all<LetterOrganization & { isDue: number }>(sql`
    SELECT id, number, name, plan, contract_started_at AS contractStartedAt, active_members AS people,
      members_without_mfa AS withoutSecondFactor,
      plan <> 'none' AND coalesce(contract_started_at, 0) < ${startOfDay(zone, addDays(daysOfMonth(month).to, 1))} AS isDue
    FROM organizations INDEXED BY organizations_in_order WHERE number > ${progress?.upTo ?? 0}
    ORDER BY number LIMIT ${CHUNK}`);
  const more = organizations.length === CHUNK;
  const due = organizations.filter(({ isDue }) => isDue === 1);
  const asked = { month, zone, planNames: planNamesIn(settings) };
  const metrics = await Promise.all(due.map((organization) => gatherLetterMetrics(db, organization, asked)));
  const drafts = due.map(({ id }, index) =>
    db
      .insert(letters)
      .values({
        id: ctx.newId("ltr"),
        created_at: now,
        updated_at: now,
        organization_id: id,
        month,
        status: "draft",
        facts_json: JSON.stringify(metrics[index]),
        words_json: JSON.stringify(NO_TEXT),
      })
      .onConflictDoNothing(),
  );
  const upTo = organizations.at(-1)?.number ?? progress?.upTo ?? 0;
  const reached = { done_up_to: upTo, finished_at: more ? null : now };
  await commit(db, [
    ...drafts,
    db
      .insert(letterMonths)
      .values({ month, ...reached })
      .onConflictDoUpdate({ target: letterMonths.month, set: reached }),
  ]);
  return { count: drafts.length, more };
}
