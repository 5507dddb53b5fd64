import * as z from "zod";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** One entry of the live panel, or all of them up to the newest that was shown. */
export const DismissForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("dismiss"), seq }),
  z.object({ intent: z.literal("dismiss_all"), through: seq }),
]);
