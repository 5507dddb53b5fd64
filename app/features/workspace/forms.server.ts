import * as z from "zod";
import { SAVED_LISTS, type SavedList } from "./saved-lists.server";
import { VIEW_NAME_MAX } from "./saved-view";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** Checks the dismissal of one live update. */
export const DismissForm = z.object({ seq });

/** Checks the dismissal of all live updates up to the newest that was shown. */
export const DismissAllForm = z.object({ through: seq });

/** Checks a filter to be saved under a name. */
export const SaveViewForm = z.object({
  list: z.enum(Object.keys(SAVED_LISTS) as [SavedList, ...SavedList[]]),
  name: z.string().trim().min(1).max(VIEW_NAME_MAX),
  query: z.string().max(1_000),
  shared: z.literal("on").optional(),
});

/** Checks which saved view is to be deleted. */
export const DeleteViewForm = z.object({ id: z.string().max(60) });
