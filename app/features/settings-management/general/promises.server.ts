import * as z from "zod";
import type { ReplyTarget, ReplyTargets } from "~/features/settings/calendar";
import { StoredReplyTargets } from "~/features/settings/stored-calendar.server";
import { plural } from "~/lib/text";
import { settingsGroup } from "../group.server";

const PRIORITIES = ["urgent", "high", "medium", "low"] as const;
const LABELS: Record<(typeof PRIORITIES)[number], string> = {
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
};

const TARGET = /^(\d{1,3})\s*(h|hours?|working\s+days?)$/i;

const targetText = ({ unit, count }: ReplyTarget) => plural(count, unit === "hours" ? "hour" : "working day");

const target = (priority: (typeof PRIORITIES)[number]) =>
  z.string().transform((text, issues): ReplyTarget => {
    const [, count, unit] = TARGET.exec(text.trim()) ?? [];
    const read = { unit: /^h/i.test(unit ?? "") ? "hours" : "working_days", count: Number(count) };
    const checked = StoredReplyTargets.shape[priority].safeParse(read);
    if (unit && checked.success) return checked.data;
    const message = "write 1 to 720 hours or 1 to 30 working days, like “2 hours” or “1 working day”";
    issues.addIssue({ code: "custom", message: `${LABELS[priority]}: ${message}` });
    return z.NEVER;
  });

/** Holds how soon a reply to a ticket is promised. */
export const promisesGroup = settingsGroup({
  text: "Until when clients are promised a reply to a ticket, by its priority. Hours are open hours; a working day ends at the same time of the next one. Premium counts around the clock. What is promised already stays.",
  fields: PRIORITIES.map((priority) => ({ name: `reply_${priority}`, kind: "text" as const, label: LABELS[priority] })),
  keys: ["replyTargets"],
  schema: z
    .object({
      reply_urgent: target("urgent"),
      reply_high: target("high"),
      reply_medium: target("medium"),
      reply_low: target("low"),
    })
    .transform(
      (input): ReplyTargets => ({
        urgent: input.reply_urgent,
        high: input.reply_high,
        medium: input.reply_medium,
        low: input.reply_low,
      }),
    ),
  values: ({ replyTargets }) =>
    Object.fromEntries(PRIORITIES.map((priority) => [`reply_${priority}`, targetText(replyTargets[priority])])),
  apply: (replyTargets) => ({ replyTargets }),
});
