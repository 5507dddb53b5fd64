import * as z from "zod";

/**
 * Checks the button that saves the choice of a row: which of the selects that the page posts belongs to it, and the id.
 */
export const RowForm = z.object({ save: z.string().regex(/^\d{1,3}\.[a-z0-9_]{1,60}$/) }).transform(({ save }) => {
  const [position = "", id = ""] = save.split(".");
  return { position: Number(position), id };
});
