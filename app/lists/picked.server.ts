import { sql } from "drizzle-orm";
import * as z from "zod";

/** Identifies a row for a bulk action, with the version it was drawn with. */
export type Picked = { id: string; version: number };

/** Returns picked rows as a table of SQL: all of them are bound as one parameter. */
export const pickedTable = (picked: readonly Picked[]) =>
  sql`(SELECT value ->> 'id' AS id, value ->> 'version' AS version FROM json_each(${JSON.stringify(
    picked.map(({ id, version }) => ({ id, version })),
  )}))`;

/**
 * Checks what the bulk bar sends beside the ticked rows: what to do with them, and the filter and moment of the list.
 */
export const BulkForm = z.object({
  scope: z.enum(["ticked", "all"]).catch("ticked"),
  query: z.string().max(2_000).catch(""),
  drawn_at: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .catch(0),
});

/** Parses a ticked row: `sub_01….3`, the record and the version its row was drawn with. */
const PickedRow = z
  .string()
  .regex(/^[a-z0-9_]{1,60}\.\d{1,9}$/)
  .transform((text) => {
    const dot = text.lastIndexOf(".");
    return { id: text.slice(0, dot), version: Number(text.slice(dot + 1)) };
  });

/** Returns the ticked rows; what is none of ours is left out, and a row named twice counts once. */
export function pickedRows(values: readonly string[]): Picked[] {
  const rows = new Map<string, Picked>();
  for (const value of values) {
    const row = PickedRow.safeParse(value);
    if (row.success) rows.set(row.data.id, row.data);
  }
  return [...rows.values()];
}
