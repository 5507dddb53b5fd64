import * as z from "zod";
import type { Brand } from "~/content/brand";
import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import { brandOf } from "~/features/settings/effective-brand.server";
import { LEGAL_TEXT_MAX, legalMarkdown, readLegalText } from "~/features/settings/legal-markdown";
import { type LegalKind, versionInForce } from "~/features/settings/legal-texts.server";
import type { SiteSettings } from "~/features/settings/model";
import { dayIn } from "~/lib/time";
import { settingsGroup } from "../group.server";

type Kind = {
  kind: LegalKind;
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
  .refine(
    (text) => text.length <= LEGAL_TEXT_MAX,
    `The text can have at most ${LEGAL_TEXT_MAX.toLocaleString("en-US")} characters`,
  )
  .refine(
    (text) => text === "" || readLegalText(text) !== null,
    "Begin each section with “## ” and its title, and write something below it",
  );

/** Returns the version of a text that is saved now: its day, and a number from the second of a day on. */
function nextVersion(given: readonly string[], today: string): string {
  const numbers = given
    .map((version) => version.split("."))
    .filter(([day]) => day === today)
    .map(([, number = "1"]) => Number(number));
  return numbers.length === 0 ? today : `${today}.${Math.max(...numbers) + 1}`;
}

/** Builds the group of a legal text. Former versions stay in the activity, and consents name theirs. */
const legalGroup = (kind: Kind) =>
  settingsGroup({
    text: (settings) =>
      `Version ${versionInForce(settings, kind.kind)}. What stands before the first “## ” is the lead; “## ” begins a section, “- ” a line of a list. Leave empty for the default.`,
    fields: [{ name: "body", kind: "area", label: kind.label, optional: true }],
    keys: [kind.text, kind.version],
    schema: z.object({ body }),
    values: (settings) => ({ body: settings[kind.text] || standardOf(kind, settings) }),
    apply: (input, stored, now) => {
      const isStandard = input.body === "" || input.body === normalized(standardOf(kind, stored));
      const text = isStandard ? "" : input.body;
      if (text === stored[kind.text]) return {};
      // The version of a text that is taken back is kept: the next one of the day needs another.
      if (isStandard) return { [kind.text]: "" };
      const given = [stored[kind.version], kind.standardVersion];
      return { [kind.text]: text, [kind.version]: nextVersion(given, dayIn(stored.timeZone, now)) };
    },
  });

export const termsGroup = legalGroup({
  kind: "terms",
  label: "Terms",
  text: "termsText",
  version: "termsVersion",
  standardVersion: TERMS_VERSION,
  standard: termsText,
});

export const privacyGroup = legalGroup({
  kind: "privacy",
  label: "Privacy",
  text: "privacyText",
  version: "privacyVersion",
  standardVersion: PRIVACY_VERSION,
  standard: privacyText,
});
