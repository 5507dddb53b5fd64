import * as z from "zod";
import { SAVED_LISTS, type SavedList, VIEW_NAME_MAX } from "./saved-view";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** One entry of the live panel. */
export const DismissForm = z.object({ seq });

/** All entries up to the newest that was shown. */
export const DismissAllForm = z.object({ through: seq });

/** A filter to be kept under a name. */
export const SaveViewForm = z.object({
  list: z.enum(Object.keys(SAVED_LISTS) as [SavedList, ...SavedList[]]),
  name: z.string().trim().min(1).max(VIEW_NAME_MAX),
  query: z.string().max(1_000),
  shared: z.literal("on").optional(),
});

/** A kept one to be taken away. */
export const DeleteViewForm = z.object({ id: z.string().max(60) });
