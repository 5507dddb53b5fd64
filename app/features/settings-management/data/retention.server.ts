import * as z from "zod";
import { previewDeletion } from "~/features/privacy/retention.server";
import type { SiteSettings } from "~/features/settings/model";
import {
  countsFrom,
  isSameRule,
  RETENTION_DAYS,
  type RetentionRule,
  ruleInForce,
  savedRetention,
} from "~/features/settings/submission-retention";
import { promisedTime } from "~/features/submissions/reply-target";
import { plural } from "~/lib/text";
import { days, type Instant } from "~/lib/time";
import { settingsGroup, tick, ticked, wholeNumber } from "../group.server";

const DAYS = "Delete resolved submissions after, in days";

const ruleText = ({ days, never }: RetentionRule) => (never ? "nothing is deleted" : `it is ${plural(days, "day")}`);

/** Says until when the former rule counts; null: the new one counts already. */
function untilThen({ retention, timeZone }: Pick<SiteSettings, "retention" | "timeZone">, now: Instant): string | null {
  const inForce = ruleInForce(retention, now);
  if (isSameRule(inForce, retention)) return null;
  return `Until ${promisedTime(timeZone, countsFrom(retention))} the former rule counts: ${ruleText(inForce)}.`;
}

/** Groups the settings of how long submissions are kept that are resolved or held for review. */
export const retentionGroup = settingsGroup({
  text: ({ retention, timeZone }, now) => {
    const rule =
      "Each night, submissions go with which nothing has happened for so long: resolved ones, and those still held for review. New and contacted ones stay.";
    const later = untilThen({ retention, timeZone }, now);
    return later === null ? rule : `${rule} ${later}`;
  },
  countsLater: untilThen,
  fields: [
    {
      name: "retention_days",
      kind: "number",
      label: DAYS,
      hint: "Counts for those held for review, too. 30 to 3,650. A shorter time takes effect 24 hours later.",
    },
    {
      name: "never_delete",
      kind: "tick",
      label: "Never delete resolved submissions",
      hint: "Those held for review stay, too.",
    },
  ],
  keys: ["retention"],
  schema: z.object({ retention_days: wholeNumber(DAYS, RETENTION_DAYS), never_delete: tick }),
  values: ({ retention }) => ({
    retention_days: String(retention.days),
    never_delete: ticked(retention.never),
  }),
  apply: ({ retention_days, never_delete }, { retention }, now) => ({
    retention: savedRetention(retention, { days: retention_days, never: never_delete }, now),
  }),
  question: async ({ db, now }, stored, { retention }) => {
    if (retention.never || isSameRule(retention, stored.retention)) return null;
    const { count, onHold, isMore } = await previewDeletion(db, now() - days(retention.days));
    const found = `${isMore ? "at least " : ""}${plural(count, "submission")}`;
    const held = onHold > 0 ? ` ${plural(onHold, "more is", "more are")} on legal hold and would stay.` : "";
    const isAtOnce = isSameRule(ruleInForce(retention, now()), retention);
    const start = isAtOnce ? "It counts from now on." : "It takes effect 24 hours after saving.";
    return {
      text: `The first run under the new number would delete ${found}.${held} ${start}`,
      // Another number is another question.
      choices: [{ value: `delete-${count}`, label: "Save this" }],
    };
  },
});
