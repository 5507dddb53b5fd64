import * as z from "zod";
import type { Brand } from "~/content/brand";
import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import { brandOf } from "~/features/settings/effective-brand.server";
import { LEGAL_TEXT_MAX, legalMarkdown, readLegalText } from "~/features/settings/legal-markdown";
import type { SiteSettings } from "~/features/settings/model";
import { dayIn } from "~/lib/time";
import { settingsGroup } from "../group.server";

type Kind = {
  label: string;
  text: "termsText" | "privacyText";
  version: "termsVersion" | "privacyVersion";
  standardVersion: string;
  standard: (provider: Brand) => LegalText;
};

/** Returns the text of our own that counts when nothing is written: it names the provider as the settings do. */
const standardOf = (kind: Kind, settings: SiteSettings): string => legalMarkdown(kind.standard(brandOf(settings)));

const normalized = (text: string) => text.replace(/\r\n?/g, "\n").trim();

const body = z
  .string()
  .transform(normalized)
  .refine((text) => text.length <= LEGAL_TEXT_MAX, `The text can have at most ${LEGAL_TEXT_MAX} characters`)
  .refine(
    (text) => text === "" || readLegalText(text) !== null,
    "Begin each section with “## ” and its title, and write something below it",
  );

/** Returns the version of a text that is saved now: its day, and a number from the second of a day on. */
function nextVersion(before: string, today: string): string {
  const [day, number = "1"] = before.split(".");
  return day === today ? `${today}.${Number(number) + 1}` : today;
}

/** Builds the group of a legal text. Former versions stay in the activity, and consents name theirs. */
const legalGroup = (kind: Kind) =>
  settingsGroup({
    text: (settings) =>
      `Version ${settings[kind.version]}. What stands before the first “## ” is the lead; “## ” begins a section, “- ” a line of a list. Empty: the text that came with the product.`,
    fields: [{ name: "body", kind: "area", label: kind.label, optional: true }],
    keys: [kind.text, kind.version],
    schema: z.object({ body }),
    values: (settings) => ({ body: settings[kind.text] || standardOf(kind, settings) }),
    apply: (input, stored, now) => {
      const isStandard = input.body === "" || input.body === normalized(standardOf(kind, stored));
      const text = isStandard ? "" : input.body;
      if (text === stored[kind.text]) return {};
      const version = isStandard
        ? kind.standardVersion
        : nextVersion(stored[kind.version], dayIn(stored.timeZone, now));
      return { [kind.text]: text, [kind.version]: version };
    },
  });

export const termsGroup = legalGroup({
  label: "Terms",
  text: "termsText",
  version: "termsVersion",
  standardVersion: TERMS_VERSION,
  standard: termsText,
});

export const privacyGroup = legalGroup({
  label: "Privacy",
  text: "privacyText",
  version: "privacyVersion",
  standardVersion: PRIVACY_VERSION,
  standard: privacyText,
});
