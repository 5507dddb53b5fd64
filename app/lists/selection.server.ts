import { sql } from "drizzle-orm";
import * as z from "zod";

/** Identifies a row that is selected for a bulk action, with the version that the page showed. */
export type SelectedRow = { id: string; version: number };

/** Returns the selected rows as a subquery with the columns `id` and `version`, bound as one JSON parameter. */
export const selectionTable = (selected: readonly SelectedRow[]) =>
  sql`(SELECT value ->> 'id' AS id, value ->> 'version' AS version FROM json_each(${JSON.stringify(
    selected.map(({ id, version }) => ({ id, version })),
  )}))`;

/**
 * Checks what the bulk bar posts beside the selected rows: whether the action is for them or for all rows that match
 * the filter, that filter, and when the page was read.
 */
export const BulkForm = z
  .object({
    scope: z.enum(["selected", "all"]).catch("selected"),
    query: z.string().max(2_000).catch(""),
    read_at: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .catch(0),
  })
  .transform(({ scope, query, read_at }) => ({ target: scope, query, readAt: read_at }));

/** Parses the value of a row's checkbox: `sub_01….3`, its id and the version that the page showed. */
const SelectedRowValue = z
  .string()
  .regex(/^[a-z0-9_]{1,60}\.\d{1,9}$/)
  .transform((text) => {
    const dot = text.lastIndexOf(".");
    return { id: text.slice(0, dot), version: Number(text.slice(dot + 1)) };
  });

/** Parses the values of the checkboxes. Malformed values are left out, and a row that is posted twice counts once. */
export function parseSelection(values: readonly string[]): SelectedRow[] {
  const rows = new Map<string, SelectedRow>();
  for (const value of values) {
    const row = SelectedRowValue.safeParse(value);
    if (row.success) rows.set(row.data.id, row.data);
  }
  return [...rows.values()];
}
