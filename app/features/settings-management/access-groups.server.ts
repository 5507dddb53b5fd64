import * as z from "zod";
import { previewDeletion } from "~/features/privacy/retention.server";
import {
  countsFrom,
  isSameRule,
  RETENTION_DAYS,
  type RetentionRule,
  ruleInForce,
  type SignUpPolicy,
  type SiteSettings,
  savedRetention,
} from "~/features/settings/model";
import { promisedTime } from "~/features/submissions/reply-target";
import { plural } from "~/lib/text";
import { days, type Instant } from "~/lib/time";
import { settingsGroup, tick, ticked, wholeNumber } from "./group.server";

/** Lists who may create an account, from everybody to nobody but those who were invited. */
const POLICIES = ["open", "approval", "invite_only"] as const satisfies readonly SignUpPolicy[];

const POLICY_TEXTS: Record<SignUpPolicy, { label: string; text: string }> = {
  open: {
    label: "Open",
    text: "Anyone can create an account and an organization. New organizations are marked “To review”.",
  },
  approval: {
    label: "Approval",
    text: "Anyone can create an account. A new organization opens once you have reviewed it.",
  },
  invite_only: { label: "Invite only", text: "Only people who were invited can create an account." },
};

/** Groups the settings of how people get in, which count from the next sign-up and the next invitation on. */
export const signUpGroup = settingsGroup({
  fields: [
    {
      name: "sign_up_policy",
      kind: "radio",
      label: "Sign-up policy",
      choices: POLICIES.map((value) => ({ value, ...POLICY_TEXTS[value] })),
    },
    {
      name: "only_existing_accounts",
      kind: "tick",
      label: "Only invite existing accounts",
      hint: "A person who invites an address without an account reads that there is none.",
    },
  ],
  keys: ["signUpPolicy", "onlyInviteExistingAccounts"],
  action: "settings.sign_up_changed",
  schema: z.object({
    sign_up_policy: z.enum(POLICIES, "Choose who may sign up"),
    only_existing_accounts: tick,
  }),
  values: ({ signUpPolicy, onlyInviteExistingAccounts }) => ({
    sign_up_policy: signUpPolicy,
    only_existing_accounts: ticked(onlyInviteExistingAccounts),
  }),
  apply: (input) => ({
    signUpPolicy: input.sign_up_policy,
    onlyInviteExistingAccounts: input.only_existing_accounts,
  }),
});

export const staffMailGroup = settingsGroup({
  fields: [
    {
      name: "enable_notifications",
      kind: "tick",
      label: "Send mail to staff about submissions and tickets",
      hint: "Off: staff get no such mail, whatever they have chosen. Lists and mail about accounts stay.",
    },
  ],
  keys: ["enableNotifications"],
  schema: z.object({ enable_notifications: tick }),
  values: ({ enableNotifications }) => ({ enable_notifications: ticked(enableNotifications) }),
  apply: ({ enable_notifications }) => ({ enableNotifications: enable_notifications }),
});

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
