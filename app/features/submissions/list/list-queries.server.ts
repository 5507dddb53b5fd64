import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { formatKey, type Page, type PageRequest, pageOf } from "~/lib/paging";
import { referenceNumber } from "~/lib/reference-number";
import type { Instant } from "~/lib/time";
import type { Announced } from "../announce-submission.server";
import { BULK_LIMIT, type SubmissionStatus } from "../model";
import type { SubmissionScope } from "./list-filter";
import {
  candidatesOf,
  isAscending,
  keyOf,
  PLACED,
  type PlacedRow,
  reachOf,
  type Stretch,
  stretchOf,
} from "./scope-sql.server";

export type SubmissionRow = {
  id: string;
  /** As people quote it: `L-1001`. */
  number: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
  /** Raised by every change: a bulk action leaves alone what has changed since the list was drawn. */
  version: number;
};

const LISTED = sql`${PLACED}, ${sql.raw("t.first_name, t.last_name, t.email, t.phone, t.company, t.version")}`;

type ListedRow = PlacedRow & {
  first_name: string;
  last_name: string;
  email: string;
  phone: string | null;
  company: string | null;
  version: number;
};

export type SubmissionPage = Page<SubmissionRow> & {
  /** So many candidates were looked at and did not fill the page: `older` leads further. Null: nothing is left out. */
  lookedAt: number | null;
};

/** One page of requests. Reads in proportion to the page, however many requests there are. */
export async function listSubmissions(db: Db, page: PageRequest, scope: SubmissionScope = {}): Promise<SubmissionPage> {
  const from = page.after ?? page.before;
  const ascending = isAscending(scope) !== Boolean(page.before);
  const reach = reachOf(scope);
  const limit = page.size + 1;
  const { fitting, edge } = reach
    ? await sift(db, scope, { from, ascending, limit: reach })
    : {
        fitting: await db.all<ListedRow>(sql`SELECT ${LISTED} ${stretchOf(scope, { from, ascending, limit })}`),
        edge: null,
      };
  const keyed = fitting.slice(0, limit).map((row) => ({ row, ...keyOf(scope, row) }));
  const { rows, newer, older } = pageOf(page, keyed);
  const shown = rows.map(({ row }) => shownRow(row));
  if (!edge || fitting.length > page.size) return { rows: shown, newer, older, lookedAt: null };
  const further = formatKey(keyOf(scope, edge));
  return page.before
    ? { rows: shown, newer: further, older, lookedAt: reach }
    : { rows: shown, newer, older: further, lookedAt: reach };
}

const shownRow = ({
  name_key,
  search_id,
  created_at,
  number,
  first_name,
  last_name,
  ...row
}: ListedRow): SubmissionRow => ({
  ...row,
  number: referenceNumber("submission", number),
  name: `${first_name} ${last_name}`,
  submittedAt: created_at,
});

/**
 * Looks at candidates one by one: those that fit, and the last one looked at where there may be more behind it. Page and
 * count ask for the same candidates in the same words, so on the first page they are read once.
 */
export async function sift(
  db: Db,
  scope: SubmissionScope,
  stretch: Stretch,
): Promise<{ fitting: ListedRow[]; edge: ListedRow | null }> {
  const candidates = await db.all<ListedRow & { fits: 0 | 1 }>(candidatesOf(scope, stretch, LISTED));
  const fitting = candidates.filter(({ fits }) => fits === 1).map(({ fits, ...row }) => row);
  return { fitting, edge: candidates.length === stretch.limit ? (candidates.at(-1) ?? null) : null };
}

/** A request as a bulk action names it: with the version its row was drawn from. */
export type Picked = { id: string; version: number };

/** The first requests of a scope, as many as one bulk action takes. */
export async function pickMatches(db: Db, scope: SubmissionScope): Promise<Picked[]> {
  return db.all<Picked>(
    sql`SELECT t.id, t.version ${stretchOf(scope, { from: null, ascending: isAscending(scope), limit: BULK_LIMIT })}`,
  );
}

/** Of the picked requests those that are held and as they were when the list was drawn. */
export async function findHeld(db: Db, picked: readonly Picked[]): Promise<(Announced & Picked)[]> {
  const rows = await db.all<Omit<Announced & Picked, "name"> & { lastName: string }>(sql`
    SELECT t.id, t.version, t.first_name AS firstName, t.last_name AS lastName, t.email, t.company, t.message
    FROM ${pickedTable(picked)} p JOIN contact_submissions t ON t.id = p.id AND t.version = p.version
    WHERE t.held_reason IS NOT NULL`);
  return rows.map(({ lastName, ...row }) => ({ ...row, name: `${row.firstName} ${lastName}` }));
}

/** Picked requests as rows of a table: all of them travel as one parameter. */
export const pickedTable = (picked: readonly Picked[]) =>
  sql`(SELECT value ->> 'id' AS id, value ->> 'version' AS version FROM json_each(${JSON.stringify(
    picked.map(({ id, version }) => ({ id, version })),
  )}))`;

/** What an export says of a request. */
export type ExportedRow = PlacedRow & {
  first_name: string;
  last_name: string;
  email: string;
  phone: string | null;
  company: string | null;
  message: string | null;
  source: string | null;
  campaign: string | null;
};

const EXPORTED = sql`${PLACED}, ${sql.raw(
  "t.first_name, t.last_name, t.email, t.phone, t.company, t.message, t.source, t.campaign",
)}`;

/** One stretch of a scope for an export, from the row before it on. */
export async function readForExport(
  db: Db,
  scope: SubmissionScope,
  { after, limit }: { after: ExportedRow | null; limit: number },
): Promise<ExportedRow[]> {
  const stretch = { from: after && keyOf(scope, after), ascending: isAscending(scope), limit };
  return db.all<ExportedRow>(sql`SELECT ${EXPORTED} ${stretchOf(scope, stretch)}`);
}

/** Chosen requests for an export, newest first. */
export async function readPickedForExport(db: Db, ids: readonly string[]): Promise<ExportedRow[]> {
  return db.all<ExportedRow>(
    sql`SELECT ${EXPORTED} FROM contact_submissions t
      WHERE t.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) ORDER BY t.created_at DESC, t.id DESC`,
  );
}
