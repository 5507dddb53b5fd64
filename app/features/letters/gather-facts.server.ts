import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readFigures } from "~/features/analytics/queries.server";
import { type OrganizationPlan, PLAN_LABELS } from "~/features/organizations/model";
import { contractYearOf } from "~/features/tickets/allowances/model";
import { countUses, usesInWords } from "~/features/tickets/allowances/used.server";
import { lateReason } from "~/features/tickets/promise/late-reason.server";
import { referenceNumber } from "~/lib/reference-number";
import { addDays, type Instant, startOfDay } from "~/lib/time";
import { CATEGORIES_LISTED, type LetterFacts, MISSES_LISTED, type Miss, WAITING_LISTED } from "./model";
import { daysOfMonth } from "./months";

/** Describes an organization that a letter is for. */
export type LetterOrganization = {
  id: string;
  number: number;
  name: string;
  plan: OrganizationPlan;
  contractStartedAt: Instant | null;
  people: number;
  withoutSecondFactor: number;
};

/** Gathers what a letter tells of a month, in one round trip. */
export async function gatherFacts(
  db: Db,
  organization: LetterOrganization,
  { month, zone }: { month: string; zone: string },
): Promise<LetterFacts> {
  const { id, name, plan, contractStartedAt, people, withoutSecondFactor } = organization;
  const { from, to } = daysOfMonth(month);
  const [figures, misses, asked, uses, waiting] = await Promise.all([
    readFigures(db, { from, to, organizationId: id }),
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
    plan: PLAN_LABELS[plan],
    people,
    withoutSecondFactor,
    created: figures.created,
    resolved: figures.resolved,
    open: figures.backlog.reduce((sum, count) => sum + count, 0),
    promises: figures.promises,
    firstResponse: { median: figures.firstResponse.open.median, n: figures.firstResponse.open.n },
    misses,
    asked,
    allowances: usesInWords({ plan }, uses, year),
    waiting,
  };
}

/**
 * Returns the facts of a draft with what holds now: the name of the organization, its people, what waits for them, and
 * replies that have come meanwhile. The figures of the month, and what was used of the allowances by its end, stay
 * those of the draft.
 */
export async function withPresent(db: Db, organizationId: string, facts: LetterFacts): Promise<LetterFacts> {
  const [answers, [present], waiting] = await Promise.all([
    listAnswers(db, organizationId, facts.misses),
    db.all<Pick<LetterFacts, "organization" | "people" | "withoutSecondFactor">>(sql`
      SELECT name AS organization, active_members AS people, members_without_mfa AS withoutSecondFactor
      FROM organizations WHERE id = ${organizationId}`),
    listWaiting(db, organizationId),
  ]);
  return {
    ...facts,
    ...present,
    misses: facts.misses.map((miss, index) => ({
      ...miss,
      answeredAt: miss.answeredAt ?? answers[index]?.at ?? null,
      explained: answers[index]?.explained ?? miss.explained ?? null,
    })),
    waiting,
  };
}

/** Lists tickets that wait for the client, those that are due first. */
async function listWaiting(db: Db, organizationId: string): Promise<LetterFacts["waiting"]> {
  const rows = await db.all<{ number: number; title: string }>(sql`
    SELECT number, title FROM support_tickets INDEXED BY active_tickets_of_organization
    WHERE organization_id = ${organizationId} AND status IN ('open', 'in_progress', 'waiting_for_customer')
      AND status = 'waiting_for_customer' ORDER BY due_rank, number LIMIT ${WAITING_LISTED}`);
  return rows.map(({ number, title }) => ({ ticket: referenceNumber("ticket", number), title }));
}

type Answer = { at: Instant | null; explained: string | null };

/**
 * Lists the first replies that came after promises had been missed, in the order of these, and why they were late; null
 * where none has come.
 */
async function listAnswers(db: Db, organizationId: string, misses: readonly Miss[]): Promise<Answer[]> {
  const wanted = misses.map(({ ticket, dueAt }) => ({ ticket, dueAt }));
  return db.all<Answer>(sql`
    SELECT ${replyAfter(sql`t.id`, sql`w.value ->> 'dueAt'`)} AS at,
      ${lateReason(sql`t.id`, sql`w.value ->> 'dueAt'`)} AS explained FROM json_each(${JSON.stringify(wanted)}) w
    LEFT JOIN support_tickets t ON t.number = CAST(substr(w.value ->> 'ticket', 3) AS INTEGER)
      AND t.organization_id = ${organizationId}
    ORDER BY w.key`);
}

/** Reads when staff first replied to a ticket after a time. */
const replyAfter = (ticketId: SQL, at: SQL): SQL => sql`(
  SELECT m.created_at FROM ticket_messages m INDEXED BY public_messages_in_order
  WHERE m.ticket_id = ${ticketId} AND m.is_internal = 0 AND m.side = 'staff' AND m.created_at > ${at}
  ORDER BY m.created_at LIMIT 1)`;

type Days = { from: string; to: string };

/** Lists the promises that fell due in the month and were missed, with the reply that came after all. */
async function listMisses(db: Db, organizationId: string, { from, to }: Days): Promise<Miss[]> {
  const rows = await db.all<Omit<Miss, "ticket"> & { number: number }>(sql`
    SELECT t.number, t.title, f.at AS dueAt, ${replyAfter(sql`t.id`, sql`f.at`)} AS answeredAt,
      ${lateReason(sql`t.id`, sql`f.at`)} AS explained
    FROM ticket_facts f INDEXED BY facts_of_organization JOIN support_tickets t ON t.id = f.ticket_id
    WHERE f.organization_id = ${organizationId} AND f.kind = 'missed' AND f.day BETWEEN ${from} AND ${to}
    ORDER BY f.day, f.id LIMIT ${MISSES_LISTED}`);
  return rows.map(({ number, ...miss }) => ({ ...miss, ticket: referenceNumber("ticket", number) }));
}

/** Counts what was asked for, by category, the most frequent first. */
const listCategories = (db: Db, organizationId: string, { from, to }: Days): Promise<LetterFacts["asked"]> =>
  db.all(sql`
    SELECT coalesce(t.category, 'Other') AS category, count(*) AS count
    FROM ticket_facts f INDEXED BY facts_of_organization JOIN support_tickets t ON t.id = f.ticket_id
    WHERE f.organization_id = ${organizationId} AND f.kind = 'created' AND f.day BETWEEN ${from} AND ${to}
    GROUP BY 1 ORDER BY count DESC, category LIMIT ${CATEGORIES_LISTED}`);
