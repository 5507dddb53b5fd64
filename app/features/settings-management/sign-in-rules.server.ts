import * as z from "zod";
import { SESSION_LIMITS, type SessionLimits } from "~/features/settings/model";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { settingsGroup, tick, ticked, wholeNumber } from "./group.server";

const LIMITS: Record<keyof SessionLimits, { name: string; label: string; hint: string }> = {
  staffIdleMinutes: { name: "staff_idle", label: "Sign staff out after … minutes idle", hint: "5 to 30." },
  staffHours: { name: "staff_hours", label: "… and after … hours at the latest", hint: "1 to 12." },
  clientIdleHours: { name: "client_idle", label: "Sign clients out after … hours idle", hint: "1 to 24." },
  clientDays: { name: "client_days", label: "… and after … days at the latest", hint: "1 to 14." },
};

const limit = (key: keyof SessionLimits) => wholeNumber(LIMITS[key].label, SESSION_LIMITS[key]);

const domain = z
  .string()
  .transform((text) => normalizeEmail(`somebody@${text.trim().replace(/^@/, "")}`).replace(/^somebody@/, ""))
  .refine(
    (text) => text === "" || isEmailAddress(`somebody@${text}`),
    "Company domain: write a domain, such as example.com",
  );

/** Groups the settings of who must use two steps, who counts as a colleague, and how long sessions last. */
export const signInRulesGroup = settingsGroup({
  text: "Staff always need two steps. Sessions can only be shortened; open ones follow with their next request.",
  fields: [
    {
      name: "client_mfa",
      kind: "tick",
      label: "Require two-step sign-in of every client",
      hint: "They have 7 days to set it up. Organizations can require it by themselves too.",
    },
    {
      name: "company_domain",
      kind: "text",
      label: "Company domain",
      hint: "Staff with an address under it land in the admin area after signing in. Empty: all staff do.",
      optional: true,
    },
    ...Object.values(LIMITS).map((field) => ({ ...field, kind: "number" as const })),
  ],
  keys: ["mfaOfClientsSince", "companyDomain", "sessionLimits"],
  schema: z.object({
    client_mfa: tick,
    company_domain: domain,
    staff_idle: limit("staffIdleMinutes"),
    staff_hours: limit("staffHours"),
    client_idle: limit("clientIdleHours"),
    client_days: limit("clientDays"),
  }),
  values: ({ mfaOfClientsSince, companyDomain, sessionLimits }) => ({
    client_mfa: ticked(mfaOfClientsSince !== null),
    company_domain: companyDomain,
    staff_idle: String(sessionLimits.staffIdleMinutes),
    staff_hours: String(sessionLimits.staffHours),
    client_idle: String(sessionLimits.clientIdleHours),
    client_days: String(sessionLimits.clientDays),
  }),
  apply: (input, { mfaOfClientsSince }, now) => ({
    mfaOfClientsSince: input.client_mfa ? (mfaOfClientsSince ?? now) : null,
    companyDomain: input.company_domain,
    sessionLimits: {
      staffIdleMinutes: input.staff_idle,
      staffHours: input.staff_hours,
      clientIdleHours: input.client_idle,
      clientDays: input.client_days,
    },
  }),
});
