import * as z from "zod";
import { type BrandOverrides, brandSettings, overridesOf } from "~/features/settings/brand";
import { BrandFields } from "~/features/settings/forms.server";
import { DESCRIPTION_MAX, SUBMISSIONS_PER_DAY } from "~/features/settings/model";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { settingsGroup, tick, ticked, wholeNumber } from "../group.server";

const CAP = "Most requests a day";
const STATUSES = ["new", "contacted", "resolved"] as const;
const STATUS_LABELS = { new: "New", contacted: "Contacted", resolved: "Resolved" };

/** Returns the brand with another name; the one of the defaults is not stored. */
const withName = ({ name: _, ...brand }: BrandOverrides, name: string): BrandOverrides => ({
  ...overridesOf({ ...brandSettings({}), name }),
  ...brand,
});

/** Holds what the specification calls the settings of the site. */
export const siteGroup = settingsGroup({
  fields: [
    { name: "name", kind: "text", label: "Site name", hint: "In the header, in titles, and as the sender of mails." },
    {
      name: "description",
      kind: "area",
      label: "Site description",
      hint: "What search engines and previews say about the home page. Empty: our own sentence.",
      optional: true,
    },
    {
      name: "admin_email",
      kind: "email",
      label: "Admin email",
      hint: "Receives mail about new requests.",
    },
    {
      name: "initial_status",
      kind: "select",
      label: "Status of a new request",
      choices: STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    },
    {
      name: "requests_per_day",
      kind: "number",
      label: CAP,
      hint: "1 to 10,000. What comes on top is held for review; above ten times as many nothing is taken.",
    },
    {
      name: "count_views",
      kind: "tick",
      label: "Count page views",
      hint: "Of public pages, by day, without cookies and without people. Shown under Data.",
    },
  ],
  keys: ["brand", "siteDescription", "adminEmail", "autoAssignStatus", "maxSubmissionsPerDay", "enableAnalytics"],
  schema: z.object({
    name: BrandFields.shape.name,
    description: z
      .string()
      .transform((text) => text.replace(/\s+/g, " ").trim())
      .refine(
        (text) => [...text].length <= DESCRIPTION_MAX,
        `Site description can have at most ${DESCRIPTION_MAX} characters`,
      ),
    admin_email: z
      .string()
      .trim()
      .max(254, "Admin email can have at most 254 characters")
      .refine(isEmailAddress, "Please enter a valid admin email address")
      .transform(normalizeEmail),
    initial_status: z.enum(STATUSES, "Choose the status of a new request"),
    requests_per_day: wholeNumber(CAP, SUBMISSIONS_PER_DAY),
    count_views: tick,
  }),
  values: (settings) => ({
    name: brandSettings(settings.brand).name,
    description: settings.siteDescription,
    admin_email: settings.adminEmail,
    initial_status: settings.autoAssignStatus,
    requests_per_day: String(settings.maxSubmissionsPerDay),
    count_views: ticked(settings.enableAnalytics),
  }),
  apply: (input, { brand, adminEmail }) => ({
    brand: withName(brand, input.name),
    siteDescription: input.description,
    // One that only follows the address of the site is not stored as a choice of its own.
    ...(input.admin_email === adminEmail ? {} : { adminEmail: input.admin_email }),
    autoAssignStatus: input.initial_status,
    maxSubmissionsPerDay: input.requests_per_day,
    enableAnalytics: input.count_views,
  }),
});
