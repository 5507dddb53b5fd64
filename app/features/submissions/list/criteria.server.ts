import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { dayIn } from "~/lib/time";
import { commonCriteria, type ListCriteria, type ListViewer, lastDays } from "~/lists/criteria";
import type { Clause } from "~/lists/row-source.server";
import { SUBMISSION_STATUSES, type SubmissionStatus } from "../model";
import { countSubmissions } from "../queries.server";
import { countDays } from "./count-days.server";
import type { SubmissionFilter } from "./definition";
import { ANY_OWNER_TOKEN, ownerToken, STATUS_TOKENS } from "./search.server";

const RECENT_DAYS = 7;

/**
 * Holds the query criteria of the list. The search is in `search.server.ts`.
 */
type SubmissionCriteria = ListCriteria<SubmissionFilter["sort"]> & {
  held?: boolean;
  status?: SubmissionStatus | null;
  /** Limits the list to the submissions of an owner; null: of nobody. */
  ownerId?: string | null;
  /** Limits the list to submissions that are not resolved, with a follow-up on this day or earlier. */
  followUpBy?: string;
};

/** Turns the filter of an address into query criteria, for one viewer at one instant. */
export function criteriaOf(filter: SubmissionFilter, viewer: ListViewer): SubmissionCriteria {
  const days = filter.recent ? lastDays(RECENT_DAYS, viewer) : {};
  return {
    ...commonCriteria({ ...filter, ...days }, viewer),
    held: filter.view === "held",
    status: filter.status,
    ...(filter.view === "mine" || filter.owner === "me" ? { ownerId: viewer.actor.userId } : {}),
    ...(filter.owner === "none" ? { ownerId: null } : {}),
    ...(filter.view === "follow_up" ? { followUpBy: dayIn(viewer.zone, viewer.now) } : {}),
  };
}

const HELD: Clause = {
  key: "held",
  where: sql`t.held_reason IS NOT NULL`,
  token: { has: STATUS_TOKENS.held },
  isRare: true,
};
const COUNTED: Clause = {
  key: "counted",
  where: sql`t.held_reason IS NULL`,
  token: { lacks: STATUS_TOKENS.held },
};
const WITHOUT_OWNER: Clause = {
  key: "no_owner",
  where: sql`t.owner_id IS NULL`,
  token: { lacks: ANY_OWNER_TOKEN },
};
const TO_FOLLOW_UP: Clause = {
  key: "to_follow_up",
  where: sql`t.follow_up_on IS NOT NULL AND t.status <> 'resolved'`,
  isRare: true,
};

const statusRank = (status: SubmissionStatus): SQL => sql.raw(String(SUBMISSION_STATUSES.indexOf(status)));

/** Returns the conditions that the criteria stand for, each with what an index knows it by. */
export function clauses({ selectedIds, held, status, ownerId, followUpBy }: Partial<SubmissionCriteria>): Clause[] {
  const all: Clause[] = selectedIds ? [] : [held ? HELD : COUNTED];
  if (status) {
    // A held submission is found as held, whatever its status.
    const token = held ? {} : { token: { has: STATUS_TOKENS[status] } };
    all.push({ key: "status", where: sql`t.status_rank = ${statusRank(status)}`, ...token });
  }
  if (ownerId) all.push({ key: "owner", where: sql`t.owner_id = ${ownerId}`, token: { has: ownerToken(ownerId) } });
  if (ownerId === null) all.push(WITHOUT_OWNER);
  if (followUpBy) all.push(TO_FOLLOW_UP, { key: "due", where: sql`t.follow_up_on <= ${followUpBy}` });
  return all;
}

/**
 * Reads a count that triggers maintain: by status, of held submissions, or by day and status. Null where there is none.
 */
export function maintainedCount(db: Db, { search, held, ownerId, followUpBy, days, status }: SubmissionCriteria) {
  if (search || ownerId !== undefined || followUpBy || (held && (days || status))) return null;
  if (days) return countDays(db, days, status ?? null);
  return countSubmissions(db).then((counts) => counts[held ? "held" : (status ?? "all")]);
}
