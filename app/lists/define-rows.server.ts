import { type SQL, sql } from "drizzle-orm";
import type { AbilityScope, Actor } from "~/access/model";
import { type Ability, abilityScope, type GrantedScope } from "~/access/policy";
import type { Db } from "~/db/client.server";
import type { CsvCell } from "~/lib/csv";
import { invariant } from "~/lib/errors";
import { COUNT_LIMIT } from "~/lib/numbers";
import type { Instant } from "~/lib/time";
import { type ListCriteria, type ListViewer, type Names, RECENT_LIMIT } from "./criteria";
import { BULK_LIMIT, type ListedRows, type ListRead, type MatchCount } from "./model";
import type { PageRequest } from "./paging.server";
import { planOf, type RowPlan, scanLimitOf } from "./plan.server";
import {
  countNewest,
  type Neighbours,
  type PageInput,
  type RowWithCursor,
  readCandidates,
  readComplete,
  readNeighbours,
  readPage,
} from "./read-page.server";
import type { Bounds, Clause, RowOrder, RowQuery, RowSource } from "./row-source.server";
import { searchMatches, selectRange } from "./search-sql.server";
import { parseSelectedRows, type SelectedRow, type Selection, selectionOf } from "./selection.server";

const CHUNK = 500;

export type ListRequest<Filter> = { filter: Filter; page: PageRequest; viewer: ListViewer };

type SharedDefinition<Filter, OrderName extends string, Viewing extends Ability> = {
  name: string;
  ability: Viewing;
  path: string;
  csvPath: string;
  fields: object;
  sorts: readonly string[];
  defaultSort: string;
  orders: Readonly<Record<OrderName, { ascending?: string; descending?: string }>>;
  readFilter: (params: URLSearchParams) => Filter;
  noMatchReason?: (filter: Filter) => string | null;
};

type RowsInput<Filter, OrderName extends string, Criteria extends ListCriteria, Viewing extends Ability> = RowSource & {
  list: SharedDefinition<Filter, OrderName, Viewing>;
  criteriaOf: (filter: Filter, viewer: ListViewer) => Criteria;
  /**
   * One function for each scope in which the policy grants the list's ability; for pages, counts, files and
   * selections.
   */
  visibleTo: VisibleTo<Criteria, GrantedScope<Viewing>>;
  clauses: (criteria: Partial<Criteria>) => readonly Clause[];
  bounds?: (criteria: Partial<Criteria>) => Bounds;
  orders: Readonly<Record<OrderName, RowOrder>>;
  maintainedCount?: (db: Db, criteria: Criteria) => Promise<number> | null;
  /** Otherwise they are those of everybody, and for a viewer who sees a part of the list the rows are counted. */
  maintainsLimitedCounts?: boolean;
};

type PageRows<Row, View> = { columns: string; view: (row: Row) => View };

type CsvRows<Row> = {
  columns: string;
  cells: Readonly<Record<string, (row: Row, zone: string, names: Names) => CsvCell>>;
};

export type ListExport = {
  header: readonly string[];
  lines: (db: Db, request: { params: URLSearchParams; viewer: ListViewer }) => AsyncGenerator<CsvCell[][]>;
};

/** Page, count, bulk actions and export use the same definition, so that all mean the same rows. */
export function defineRows<
  Filter,
  OrderName extends string,
  Criteria extends ListCriteria,
  Row,
  View,
  Exported,
  Viewing extends Ability,
>(input: RowsInput<Filter, OrderName, Criteria, Viewing> & PageRows<Row, View> & { csv: CsvRows<Exported> }) {
  const { list, columns, csv } = input;
  const queryOf = (criteria: Partial<Criteria>) => rowQuery(input, criteria);

  const criteriaOf = (filter: Filter, viewer: ListViewer): Criteria => ({
    ...input.criteriaOf(filter, viewer),
    ...limitsOf(input, viewer.actor),
  });

  type CountRequest = Omit<ListRequest<Filter>, "page">;

  async function readRows(db: Db, { filter, viewer, page }: ListRequest<Filter>): Promise<ListedRows<View>> {
    const query = queryOf(criteriaOf(filter, viewer));
    const { rows, ...rest } = await readPage<Row>(db, input, { query, page, columns });
    return { ...rest, rows: rows.map(input.view) };
  }

  /**
   * Counts the matching rows: exactly where a count is maintained, otherwise as far as counting is cheap.
   */
  async function count(db: Db, { filter, viewer, page }: ListRequest<Filter>): Promise<MatchCount> {
    const criteria = criteriaOf(filter, viewer);
    const isOfEverybody = isLimited(limitsOf(input, viewer.actor)) && !input.maintainsLimitedCounts;
    const maintained = isOfEverybody ? null : (input.maintainedCount?.(db, criteria) ?? null);
    if (maintained) return { count: await maintained, more: false };
    return countMatches(db, input, { query: queryOf(criteria), page, columns });
  }

  async function read(db: Db, request: ListRequest<Filter>): Promise<ListRead<View>> {
    const { zone, now } = request.viewer;
    const rest = { zone, readAt: now };
    if (list.noMatchReason?.(request.filter)) return { page: NO_ROWS, total: { count: 0, more: false }, ...rest };
    const [page, total] = await Promise.all([readRows(db, request), count(db, request)]);
    return { page, total, ...rest };
  }

  async function neighbours(
    db: Db,
    { filter, viewer, id, column = "id" }: CountRequest & { id: string; column?: string },
  ): Promise<Neighbours> {
    if (list.noMatchReason?.(filter)) return { previous: null, next: null };
    return readNeighbours(db, { ...input, joins: undefined }, queryOf(criteriaOf(filter, viewer)), { id, column });
  }

  const select = (rows: readonly SelectedRow[], actor: Actor) => selectionOf(rows, visibleRow(input, actor));

  const selectPosted = (values: readonly string[], actor: Actor): Selection => select(parseSelectedRows(values), actor);

  /** Without those created or changed after the instant. */
  async function selectMatching(
    db: Db,
    { filter, viewer, unchangedSince }: CountRequest & { unchangedSince?: Instant },
  ): Promise<Selection> {
    const query = queryOf({ ...criteriaOf(filter, viewer), unchangedSince });
    return select(await firstRows(db, input, query), viewer.actor);
  }

  const lines: ListExport["lines"] = (db, { params, viewer }) => {
    const filter = list.readFilter(params);
    const ids = params.get("ids")?.split(",").slice(0, BULK_LIMIT);
    if (!ids && list.noMatchReason?.(filter)) return noLines();
    const criteria = ids ? criteriaOfIds<Criteria>(limitsOf(input, viewer.actor), ids) : criteriaOf(filter, viewer);
    return csvLines(db, input, { query: queryOf(criteria), csv, viewer });
  };

  const csvExport: ListExport = { header: Object.keys(csv.cells), lines };
  return { list, read, neighbours, selectPosted, selectMatching, csvExport };
}

const NO_ROWS = { rows: [], previous: null, next: null, scanned: null };

type RowQueryInput<Criteria extends ListCriteria> = Pick<
  RowsInput<never, string, Criteria, Ability>,
  "clauses" | "bounds"
> & { list: Pick<SharedDefinition<never, string, Ability>, "name" | "defaultSort" | "orders"> };

function rowQuery<Criteria extends ListCriteria>(
  { list, ...input }: RowQueryInput<Criteria>,
  criteria: Partial<Criteria>,
): RowQuery {
  const { search, unchangedSince, selectedIds, sort = list.defaultSort } = criteria;
  const found = Object.entries(list.orders).find(([, order]) => order.ascending === sort || order.descending === sort);
  invariant(found, `The list ${list.name} has no order ${sort}`);
  const [order, { ascending }] = found;
  const bounds = input.bounds?.(criteria);
  return {
    order,
    ascending: ascending === sort,
    clauses: input.clauses(criteria),
    bounds: bounds?.from === undefined && bounds?.until === undefined ? undefined : bounds,
    search,
    unchangedSince,
    selectedIds,
  };
}

async function firstRows(db: Db, source: RowSource, query: RowQuery): Promise<SelectedRow[]> {
  const range = { from: null, ascending: query.ascending, limit: BULK_LIMIT, columns: "t.id, t.version" };
  const rows = await readComplete<SelectedRow>(db, { ...source, joins: undefined, lookups: undefined }, query, range);
  return rows.map(({ row }) => row);
}

type CsvRequest<Row> = { query: RowQuery; csv: CsvRows<Row>; viewer: ListViewer };

async function* csvLines<Row>(
  db: Db,
  source: RowSource,
  { query, csv, viewer: { zone, names = {} } }: CsvRequest<Row>,
): AsyncGenerator<CsvCell[][]> {
  const cells = Object.values(csv.cells);
  for (let last: RowWithCursor<Row> | undefined; ; ) {
    const range = { from: last?.cursor ?? null, ascending: query.ascending, limit: CHUNK, columns: csv.columns };
    const rows: RowWithCursor<Row>[] = await readComplete<Row>(db, { ...source, lookups: undefined }, query, range);
    if (rows.length > 0) yield rows.map(({ row }) => cells.map((cell) => cell(row, zone, names)));
    if (rows.length < CHUNK) return;
    last = rows.at(-1);
  }
}

async function* noLines(): AsyncGenerator<CsvCell[][]> {}

/** With a scan limit, among the rows that the first page scans; a search of the newest rows counts all matches. */
async function countMatches(db: Db, source: RowSource, input: PageInput): Promise<MatchCount> {
  const { query, columns, page } = input;
  const plan = planOf(source, query);
  if (plan.kind === "recent") {
    const { looked, matching } = await countNewest(db, source, input);
    return { count: matching, more: looked === RECENT_LIMIT ? "older" : false };
  }
  const scanLimit = scanLimitOf(plan, source);
  if (scanLimit) {
    const range = { from: null, ascending: query.ascending, limit: scanLimit, columns };
    const { matching, last } = await readCandidates(db, source, query, range);
    return { count: matching.length, more: last ? "possibly" : false };
  }
  const limit = Math.max(COUNT_LIMIT, page.size);
  const rows = selectUpTo(limit + 1, source, { query, plan });
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${rows})`);
  const count = row?.count ?? 0;
  return { count: Math.min(count, limit), more: count > limit ? "certainly" : false };
}

function selectUpTo(limit: number, source: RowSource, { query, plan }: { query: RowQuery; plan: RowPlan }): SQL {
  const range = { from: null, ascending: false, limit };
  if (plan.kind === "search") return sql`SELECT 1 ${searchMatches(source, query, range)} LIMIT ${limit}`;
  return selectRange({ ...source, joins: undefined, lookups: undefined }, query, {
    ...range,
    kind: "complete",
    columns: "1",
  });
}

type LimitingCriteria<Criteria> = Partial<Omit<Criteria, keyof ListCriteria>>;

type VisibleTo<Criteria, Scope extends AbilityScope> = Readonly<
  Record<Scope, (actor: Actor) => LimitingCriteria<Criteria>>
>;

type Limited<Criteria> = {
  list: { name: string; ability: Ability };
  table: string;
  visibleTo: Partial<VisibleTo<Criteria, AbilityScope>>;
  clauses: (criteria: Partial<Criteria>) => readonly Clause[];
};

/** Fails for a person without it, whom the guard of the page stops, and for criteria that would limit nothing. */
function limitsOf<Criteria>({ list, visibleTo, clauses }: Limited<Criteria>, actor: Actor): LimitingCriteria<Criteria> {
  const scope = abilityScope(actor, list.ability);
  const limits = scope && visibleTo[scope]?.(actor);
  invariant(limits, `The list ${list.name} shows nothing to ${actor.userId}`);
  const values = Object.values(limits);
  const isEffective = values.length === 0 || clauses(criteriaOfIds(limits)).length > 0;
  const isComplete = values.every((value) => value !== undefined && value !== null);
  invariant(isEffective && isComplete, `The list ${list.name} has a limit without a value or a condition`);
  return limits;
}

const isLimited = (limits: object): boolean => Object.keys(limits).length > 0;

/** In the statement that reads or changes the row, so that it does not leave the viewer's sight in between. */
function visibleRow<Criteria>(definition: Limited<Criteria>, actor: Actor): ((id: SQL) => SQL) | null {
  const limits = limitsOf(definition, actor);
  if (!isLimited(limits)) return null;
  const where = definition.clauses(criteriaOfIds(limits)).map((clause) => clause.where);
  const table = sql.raw(definition.table);
  return (id) => sql`EXISTS (SELECT 1 FROM ${table} t WHERE t.id = ${id} AND ${sql.join(where, sql` AND `)})`;
}

const criteriaOfIds = <Criteria>(limits: LimitingCriteria<Criteria>, selectedIds: readonly string[] = []) =>
  ({ ...limits, selectedIds }) as Partial<Criteria> & { selectedIds: readonly string[] };
