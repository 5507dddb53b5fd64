import * as z from "zod";
import { previewRetention } from "~/features/privacy/preview-retention.server";
import { countsFrom, RETENTION_DAYS, type RetentionRule, savedRetention } from "~/features/settings/retention";
import { promisedTime } from "~/features/submissions/reply-target";
import { plural } from "~/lib/text";
import { settingsGroup, tick, ticked, wholeNumber } from "../group.server";

const DAYS = "Delete resolved submissions after, in days";

const ruleText = ({ days, never }: RetentionRule) => (never ? "nothing is deleted" : `it is ${plural(days, "day")}`);

/** Holds how long resolved submissions are kept. */
export const retentionGroup = settingsGroup({
  text: ({ retention, timeZone }, now) => {
    const begins = countsFrom(retention);
    const rule =
      "Each night, resolved submissions go with which nothing has happened for so long. New and contacted ones stay.";
    if (now >= begins) return rule;
    return `${rule} Until ${promisedTime(timeZone, begins)} the former rule counts: ${ruleText(retention.before)}.`;
  },
  fields: [
    { name: "retention_days", kind: "number", label: DAYS, hint: "30 to 3,650. A change takes effect 24 hours later." },
    { name: "never_delete", kind: "tick", label: "Never delete resolved submissions" },
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
    const isSame = retention.days === stored.retention.days && retention.never === stored.retention.never;
    if (retention.never || isSame) return null;
    const { count, onHold, isMore } = await previewRetention(db, retention.days, now());
    const found = `${isMore ? "at least " : ""}${plural(count, "submission")}`;
    const held = onHold > 0 ? ` ${plural(onHold, "more is", "more are")} on legal hold and would stay.` : "";
    return {
      text: `The first run under the new number would delete ${found}.${held} It takes effect 24 hours after saving.`,
      // Another number is another question.
      choices: [{ value: `delete-${count}`, label: "Save this" }],
    };
  },
});
