import { type SQL, sql } from "drizzle-orm";
import type { AbilityScope, Actor } from "~/access/model";
import { type Ability, abilityScope } from "~/access/policy";
import { invariant } from "~/lib/assert";
import type { ListCriteria } from "./criteria";
import type { Clause } from "./row-source.server";

/** Holds criteria that limit what a viewer sees. Those of every list are the filter's business. */
type LimitingCriteria<Criteria> = Partial<Omit<Criteria, keyof ListCriteria>>;

/** Holds the criteria for each scope of the list's ability. */
export type VisibleTo<Criteria, Scope extends AbilityScope> = Readonly<
  Record<Scope, (actor: Actor) => LimitingCriteria<Criteria>>
>;

/** Describes what is used of a definition. */
type Limited<Criteria> = {
  list: { name: string; ability: Ability };
  table: string;
  visibleTo: Partial<VisibleTo<Criteria, AbilityScope>>;
  clauses: (criteria: Partial<Criteria>) => readonly Clause[];
};

/**
 * Returns the criteria that limit what somebody sees of a list, by the widest scope in which they hold its ability.
 * Fails for a person without it, whom the guard of the page stops, and for criteria that would limit nothing.
 */
export function limitsOf<Criteria>(
  { list, visibleTo, clauses }: Limited<Criteria>,
  actor: Actor,
): LimitingCriteria<Criteria> {
  const scope = abilityScope(actor, list.ability);
  const limits = scope && visibleTo[scope]?.(actor);
  invariant(limits, `The list ${list.name} shows nothing to ${actor.userId}`);
  const values = Object.values(limits);
  const isEffective = values.length === 0 || clauses(criteriaOfIds(limits)).length > 0;
  const isComplete = values.every((value) => value !== undefined && value !== null);
  invariant(isEffective && isComplete, `The list ${list.name} has a limit without a value or a condition`);
  return limits;
}

/** Tells whether somebody sees a part of a list only. */
export const isLimited = (limits: object): boolean => Object.keys(limits).length > 0;

/**
 * Builds the condition that the row of an id is visible. Null: every row is. It belongs in the statement that reads or
 * changes the row, so that no row leaves a viewer's sight between a look and a change.
 */
export function visibleRow<Criteria>(definition: Limited<Criteria>, actor: Actor): ((id: SQL) => SQL) | null {
  const limits = limitsOf(definition, actor);
  if (!isLimited(limits)) return null;
  const where = definition.clauses(criteriaOfIds(limits)).map((clause) => clause.where);
  const table = sql.raw(definition.table);
  return (id) => sql`EXISTS (SELECT 1 FROM ${table} t WHERE t.id = ${id} AND ${sql.join(where, sql` AND `)})`;
}

/** Turns limits into the criteria of rows that are named by their ids, to which no filter applies. */
export const criteriaOfIds = <Criteria>(limits: LimitingCriteria<Criteria>, selectedIds: readonly string[] = []) =>
  ({ ...limits, selectedIds }) as Partial<Criteria> & { selectedIds: readonly string[] };
