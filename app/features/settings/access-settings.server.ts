import * as z from "zod";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import {
  DEFAULT_RETENTION,
  RETENTION_DAYS,
  type RetentionRule,
  SESSION_LIMITS,
  type SessionLimits,
  type SignUpPolicy,
  type StoredRetention,
  savedRetention,
} from "./model";
import { oneField, setting, tick, ticked, wholeNumber, within } from "./setting.server";

/** From everybody to nobody but those who were invited. */
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

const domain = z
  .string()
  .transform((text) => normalizeEmail(`somebody@${text.trim().replace(/^@/, "")}`).replace(/^somebody@/, ""))
  .refine(
    (text) => text === "" || isEmailAddress(`somebody@${text}`),
    "Company domain: write a domain, such as example.com",
  );

const LIMITS: Record<keyof SessionLimits, { name: string; label: string; hint: string }> = {
  staffIdleMinutes: { name: "staff_idle", label: "Sign staff out after … minutes idle", hint: "5 to 30." },
  staffHours: { name: "staff_hours", label: "… and after … hours at the latest", hint: "1 to 12." },
  clientIdleHours: { name: "client_idle", label: "Sign clients out after … hours idle", hint: "1 to 24." },
  clientDays: { name: "client_days", label: "… and after … days at the latest", hint: "1 to 14." },
};

const limit = (key: keyof SessionLimits) => wholeNumber(LIMITS[key].label, SESSION_LIMITS[key]);

const DAYS = "Delete resolved submissions after, in days";

const rule = { days: z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max), never: z.boolean() };

/** One that cannot be read deletes nothing: what was meant is not known. */
const StoredRule = z
  .object({ ...rule, savedAt: z.int().nullable(), before: z.object(rule) })
  .catch({ ...DEFAULT_RETENTION, never: true, before: { ...DEFAULT_RETENTION.before, never: true } });

/** Who gets in, what staff are mailed, how long sessions last and submissions stay. In the order of the forms. */
export const accessSettings = {
  signUpPolicy: setting({
    schema: z.enum(POLICIES),
    default: "open",
    form: oneField({
      group: "sign-up",
      field: {
        name: "sign_up_policy",
        kind: "radio",
        label: "Sign-up policy",
        choices: POLICIES.map((value) => ({ value, ...POLICY_TEXTS[value] })),
      },
      input: z.enum(POLICIES, "Choose who may sign up"),
      shown: (policy) => policy,
    }),
  }),
  onlyInviteExistingAccounts: setting({
    schema: z.boolean(),
    default: false,
    form: oneField({
      group: "sign-up",
      field: {
        name: "only_existing_accounts",
        kind: "tick",
        label: "Only invite existing accounts",
        hint: "A person who invites an address without an account reads that there is none.",
      },
      input: tick,
      shown: ticked,
    }),
  }),
  /** About their own accounts they always get mail. */
  enableNotifications: setting({
    schema: z.boolean(),
    default: true,
    form: oneField({
      group: "mail",
      field: {
        name: "enable_notifications",
        kind: "tick",
        label: "Send mail to staff about submissions and tickets",
        hint: "Off: staff get no such mail, whatever they have chosen. Lists and mail about accounts stay.",
      },
      input: tick,
      shown: ticked,
    }),
  }),
  /** The domain at which answers to our mails are known to arrive; null: none. */
  provenInboundDomain: setting({ schema: z.string().nullable(), default: null }),
  /** Since when every client must have a second factor; null: only those whose organization requires it. */
  mfaOfClientsSince: setting({
    schema: z.int().nullable(),
    default: null,
    form: oneField<boolean, number | null>({
      group: "sign-in",
      field: {
        name: "client_mfa",
        kind: "tick",
        label: "Require two-step sign-in of every client",
        hint: "They have 7 days to set it up. Organizations can require it by themselves too.",
      },
      input: tick,
      shown: (since) => ticked(since !== null),
      stored: (isRequired, since, now) => (isRequired ? (since ?? now) : null),
    }),
  }),
  /** Of the provider's own people. Empty: after signing in only the role counts. */
  companyDomain: setting({
    schema: z.string().max(253),
    default: "",
    isPublic: true,
    form: oneField({
      group: "sign-in",
      field: {
        name: "company_domain",
        kind: "text",
        label: "Company domain",
        hint: "Staff with an address under it land in the admin area after signing in. Empty: all staff do.",
        optional: true,
      },
      input: domain,
      shown: (text) => text,
    }),
  }),
  /** The first hour of the installation. Null: not yet. Who it was stands in the row. */
  legalReviewedAt: setting({ schema: z.int().nullable(), default: null }),
  siteSeenAt: setting({ schema: z.int().nullable(), default: null }),
  firstHourDoneAt: setting({ schema: z.int().nullable(), default: null }),
  sessionLimits: setting<SessionLimits>({
    schema: z.object({
      staffIdleMinutes: within(SESSION_LIMITS.staffIdleMinutes),
      staffHours: within(SESSION_LIMITS.staffHours),
      clientIdleHours: within(SESSION_LIMITS.clientIdleHours),
      clientDays: within(SESSION_LIMITS.clientDays),
    }),
    default: { staffIdleMinutes: 30, staffHours: 12, clientIdleHours: 24, clientDays: 14 },
    form: {
      group: "sign-in",
      fields: Object.values(LIMITS).map((field) => ({ ...field, kind: "number" as const })),
      input: z
        .object({
          staff_idle: limit("staffIdleMinutes"),
          staff_hours: limit("staffHours"),
          client_idle: limit("clientIdleHours"),
          client_days: limit("clientDays"),
        })
        .transform((input) => ({
          staffIdleMinutes: input.staff_idle,
          staffHours: input.staff_hours,
          clientIdleHours: input.client_idle,
          clientDays: input.client_days,
        })),
      shown: (limits) => ({
        staff_idle: String(limits.staffIdleMinutes),
        staff_hours: String(limits.staffHours),
        client_idle: String(limits.clientIdleHours),
        client_days: String(limits.clientDays),
      }),
    },
  }),
  retention: setting<StoredRetention, RetentionRule>({
    schema: StoredRule,
    default: DEFAULT_RETENTION,
    isPublic: true,
    form: {
      group: "retention",
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
      input: z
        .object({ retention_days: wholeNumber(DAYS, RETENTION_DAYS), never_delete: tick })
        .transform(({ retention_days, never_delete }) => ({ days: retention_days, never: never_delete })),
      shown: ({ days, never }) => ({ retention_days: String(days), never_delete: ticked(never) }),
      stored: (rule, before, now) => savedRetention(before, rule, now),
    },
  }),
};
