import * as z from "zod";
import { type BrandOverrides, brandSettings, overridesOf } from "~/features/settings/brand-settings";
import { BrandFields } from "~/features/settings/forms.server";
import { DESCRIPTION_MAX, FILE_QUOTA_GB, SUBMISSIONS_PER_DAY } from "~/features/settings/model";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { settingsGroup, tick, ticked, wholeNumber } from "../group.server";

const CAP = "Hold for review above … a day";
const QUOTA = "Files of each organization, in GB";
const STATUSES = ["new", "contacted", "resolved"] as const;
const STATUS_LABELS = { new: "New", contacted: "Contacted", resolved: "Resolved" };

/** Returns the brand with another name; the one of the defaults is not stored. */
const withName = ({ name: _, ...brand }: BrandOverrides, name: string): BrandOverrides => ({
  ...overridesOf({ ...brandSettings({}), name }),
  ...brand,
});

/** Groups what the specification calls the settings of the site. */
export const siteGroup = settingsGroup({
  fields: [
    {
      name: "site_name",
      kind: "text",
      label: "Site name",
      hint: "In the header, in titles, and as the sender of mails.",
    },
    {
      name: "site_description",
      kind: "area",
      label: "Site description",
      hint: "What search engines and previews say about the home page. Leave empty for the default.",
      optional: true,
    },
    {
      name: "admin_email",
      kind: "email",
      label: "Admin email",
      hint: "Receives mail about new submissions.",
    },
    {
      name: "auto_assign_status",
      kind: "select",
      label: "Status of a new submission",
      choices: STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    },
    {
      name: "max_submissions_per_day",
      kind: "number",
      label: CAP,
      hint: "1 to 10,000. What comes on top is held for review; above ten times as many nothing is taken.",
    },
    {
      name: "file_quota",
      kind: "number",
      label: QUOTA,
      hint: "1 to 1,000. What the files of an organization's tickets may take together.",
    },
    {
      name: "enable_analytics",
      kind: "tick",
      label: "Count page views",
      hint: "Of public pages, by day, without cookies and without people. Shown under Data.",
    },
  ],
  keys: [
    "brand",
    "siteDescription",
    "adminEmail",
    "autoAssignStatus",
    "maxSubmissionsPerDay",
    "fileQuotaGb",
    "enableAnalytics",
  ],
  schema: z.object({
    site_name: BrandFields.shape.name,
    site_description: z
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
    auto_assign_status: z.enum(STATUSES, "Choose the status of a new submission"),
    max_submissions_per_day: wholeNumber(CAP, SUBMISSIONS_PER_DAY),
    file_quota: wholeNumber(QUOTA, FILE_QUOTA_GB),
    enable_analytics: tick,
  }),
  values: (settings) => ({
    site_name: brandSettings(settings.brand).name,
    site_description: settings.siteDescription,
    admin_email: settings.adminEmail,
    auto_assign_status: settings.autoAssignStatus,
    max_submissions_per_day: String(settings.maxSubmissionsPerDay),
    file_quota: String(settings.fileQuotaGb),
    enable_analytics: ticked(settings.enableAnalytics),
  }),
  apply: (input, { brand, adminEmail }) => ({
    brand: withName(brand, input.site_name),
    siteDescription: input.site_description,
    // One that only follows the address of the site is not stored as a choice of its own.
    ...(input.admin_email === adminEmail ? {} : { adminEmail: input.admin_email }),
    autoAssignStatus: input.auto_assign_status,
    maxSubmissionsPerDay: input.max_submissions_per_day,
    fileQuotaGb: input.file_quota,
    enableAnalytics: input.enable_analytics,
  }),
});
