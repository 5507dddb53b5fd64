import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";

export type SelectedRow = { id: string; version: number };

declare const madeByList: unique symbol;

/**
 * Only a list makes one, for one viewer, and only as `selectionTable` can a statement use it: no command reaches a row
 * that its viewer does not see.
 */
export type Selection = {
  readonly rows: readonly SelectedRow[];
  readonly isVisible: ((id: SQL) => SQL) | null;
  readonly [madeByList]: true;
};

export const selectionOf = (rows: readonly SelectedRow[], isVisible: Selection["isVisible"]): Selection =>
  ({ rows, isVisible }) as Selection;

export function narrowTo(selection: Selection, ids: Iterable<string>): Selection {
  const kept = new Set(ids);
  return { ...selection, rows: selection.rows.filter(({ id }) => kept.has(id)) };
}

/**
 * Rows that the viewer does not see at the moment of the statement are not in it, as if nobody knew their ids: a
 * command that changes what its viewer sees counts what it has recorded, not these rows.
 */
export function selectionTable({ rows, isVisible }: Selection): SQL {
  const posted = JSON.stringify(rows.map(({ id, version }) => ({ id, version })));
  const visible = isVisible ? sql`WHERE ${isVisible(sql`posted.value ->> 'id'`)}` : sql``;
  return sql`(SELECT posted.value ->> 'id' AS id, posted.value ->> 'version' AS version, posted.key AS position
    FROM json_each(${posted}) posted ${visible})`;
}

const QUERY_MAX = 4_000;

/** Without a filter that can be read it is for the selected rows only: all rows of the list were not meant. */
export const BulkForm = z
  .object({
    scope: z.enum(["selected", "all"]).catch("selected"),
    query: z.string().max(QUERY_MAX).nullable().catch(null),
    read_at: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .catch(0),
  })
  .transform(({ scope, query, read_at }) => ({
    target: query === null ? "selected" : scope,
    query: query ?? "",
    readAt: read_at,
  }));

/** Parses the value of a row's checkbox: `sub_01….3`, its id and the version that the page showed. */
const SelectedRowValue = z
  .string()
  .regex(/^[a-z0-9_]{1,60}\.\d{1,9}$/)
  .transform((text) => {
    const dot = text.lastIndexOf(".");
    return { id: text.slice(0, dot), version: Number(text.slice(dot + 1)) };
  });

/** Malformed values are left out, and a row that is posted twice counts once. */
export function parseSelectedRows(values: readonly string[]): SelectedRow[] {
  const rows = new Map<string, SelectedRow>();
  for (const value of values) {
    const row = SelectedRowValue.safeParse(value);
    if (row.success) rows.set(row.data.id, row.data);
  }
  return [...rows.values()];
}

export const RowForm = z.object({ save: z.string().regex(/^\d{1,3}\.[a-z0-9_]{1,60}$/) }).transform(({ save }) => {
  const [position = "", id = ""] = save.split(".");
  return { position: Number(position), id };
});
