import * as z from "zod";
import type { ReplyTarget, ReplyTargets } from "~/features/settings/calendar";
import { StoredReplyTargets } from "~/features/settings/stored-calendar.server";
import { plural } from "~/lib/text";
import { orNothing, settingsGroup } from "../group.server";

const PRIORITIES = ["urgent", "high", "medium", "low"] as const;
type Priority = (typeof PRIORITIES)[number];

const LABELS: Record<Priority, string> = {
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
};

const TARGET = /^(\d{1,3})\s*(h|hours?|(?:business|working)\s+days?)$/i;

const targetText = ({ unit, count }: ReplyTarget) => plural(count, unit === "hours" ? "hour" : "business day");

/** Returns what turns a text into how soon, or says what is wrong with it. */
function targetReader(priority: Priority) {
  return (text: string, issues: z.RefinementCtx): ReplyTarget => {
    const [, count, unit] = TARGET.exec(text.trim()) ?? [];
    const read = { unit: /^h/i.test(unit ?? "") ? "hours" : "working_days", count: Number(count) };
    const checked = StoredReplyTargets.shape[priority].safeParse(read);
    if (unit && checked.success) return checked.data;
    const message = "write 1 to 720 hours or 1 to 30 business days, like “2 hours” or “1 business day”";
    issues.addIssue({ code: "custom", message: `${LABELS[priority]}: ${message}` });
    return z.NEVER;
  };
}

type Resolutions = Record<`resolve_${Priority}`, ReplyTarget | null>;

/** Reads how soon tickets are resolved: for every priority, or for none. */
function resolutionsOf(input: Resolutions, issues: z.RefinementCtx): ReplyTargets | null {
  const { resolve_urgent: urgent, resolve_high: high, resolve_medium: medium, resolve_low: low } = input;
  if (urgent && high && medium && low) return { urgent, high, medium, low };
  const given = PRIORITIES.filter((priority) => input[`resolve_${priority}`]);
  if (given.length === 0) return null;
  for (const priority of PRIORITIES.filter((one) => !given.includes(one)))
    issues.addIssue({
      code: "custom",
      path: [`resolve_${priority}`],
      message: `${LABELS[priority]}: write a time, or leave all four empty`,
    });
  return z.NEVER;
}

/** Groups the settings of how soon a ticket is promised a reply, and to be resolved. */
export const promisesGroup = settingsGroup({
  text: "Until when clients are promised a reply to a ticket, by its priority. Hours are open hours; a business day ends at the same time of the next one. Premium counts around the clock. A time to resolve tickets is promised only where you give one. What is promised already stays.",
  fields: [
    ...PRIORITIES.map((priority) => ({ name: `reply_${priority}`, kind: "text" as const, label: LABELS[priority] })),
    ...PRIORITIES.map((priority) => ({
      name: `resolve_${priority}`,
      kind: "text" as const,
      label: `${LABELS[priority]}: resolved within`,
      optional: true,
    })),
  ],
  keys: ["replyTargets", "resolutionTargets"],
  schema: z
    .object({
      reply_urgent: z.string().transform(targetReader("urgent")),
      reply_high: z.string().transform(targetReader("high")),
      reply_medium: z.string().transform(targetReader("medium")),
      reply_low: z.string().transform(targetReader("low")),
      resolve_urgent: orNothing(targetReader("urgent")),
      resolve_high: orNothing(targetReader("high")),
      resolve_medium: orNothing(targetReader("medium")),
      resolve_low: orNothing(targetReader("low")),
    })
    .transform((input, issues) => ({
      replyTargets: {
        urgent: input.reply_urgent,
        high: input.reply_high,
        medium: input.reply_medium,
        low: input.reply_low,
      } satisfies ReplyTargets,
      resolutionTargets: resolutionsOf(input, issues),
    })),
  values: ({ replyTargets, resolutionTargets }) =>
    Object.fromEntries(
      PRIORITIES.flatMap((priority) => [
        [`reply_${priority}`, targetText(replyTargets[priority])],
        [`resolve_${priority}`, resolutionTargets ? targetText(resolutionTargets[priority]) : ""],
      ]),
    ),
  apply: (targets) => targets,
});
