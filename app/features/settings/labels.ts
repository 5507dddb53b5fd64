import type { BrandSettings } from "./brand-settings";

export const BRAND_LABELS: Record<keyof BrandSettings, string> = {
  name: "Name",
  email: "Email",
  legalName: "Legal name",
  supportEmail: "Support email",
  tagline: "Tagline",
  phone: "Phone",
  address: "A line of the address",
  hours: "Business hours",
  founder: "Founder",
  story: "Story",
  networkBrand: "Network brand",
};

export const BRAND_COPY = {
  name_required: "Please enter a name",
  email_required: "Please enter an email address",
  email_invalid: "Please enter a valid email address",
  phone_invalid: "Please enter a phone number of 5 to 15 digits",
  not_one_line: "Please use one line of plain text",
  not_plain: "Please use plain text",
};
