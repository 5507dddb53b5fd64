import * as z from "zod";
import { SAVED_LISTS, type SavedList, VIEW_NAME_MAX } from "./saved-view";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** One entry of the live panel, or all of them up to the newest that was shown. */
export const DismissForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("dismiss"), seq }),
  z.object({ intent: z.literal("dismiss_all"), through: seq }),
]);

/** A filter to be kept under a name, or a kept one to be taken away. */
export const SavedViewForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    list: z.enum(Object.keys(SAVED_LISTS) as [SavedList, ...SavedList[]]),
    name: z.string().trim().min(1).max(VIEW_NAME_MAX),
    query: z.string().max(1_000),
    shared: z.literal("on").optional(),
  }),
  z.object({ intent: z.literal("delete"), id: z.string().max(60) }),
]);
