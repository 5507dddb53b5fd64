import { fold } from "~/lib/text";

/** Returns the columns that hold the texts of an organization: as shown, and as they are found and sorted by. */
export const organizationTexts = ({ name, description }: { name: string; description: string }) => ({
  name,
  description,
  search_name: fold(name),
  search_description: fold(description),
});

/** Lists the plans of organizations; `none`: without a contract. */
export const ORGANIZATION_PLANS = ["none", "basic", "core", "premium"] as const;
export type OrganizationPlan = (typeof ORGANIZATION_PLANS)[number];

export const PLAN_LABELS: Readonly<Record<OrganizationPlan, string>> = {
  none: "No plan",
  basic: "Basic",
  core: "Core",
  premium: "Premium",
};

/** Lists slugs that no organization may have because they are parts of our URLs. */
export const RESERVED_SLUGS: readonly string[] = ["admin", "api", "client", "new", "support", "www"];

const FALLBACK = "org";

/** Lists letters that no ASCII letter with an accent is; `fold` knows "ß", "ł" and "ø". */
const LETTERS: Readonly<Record<string, string>> = { æ: "ae", œ: "oe", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i" };

/**
 * Converts the name of an organization to a slug: ASCII letters, in lower case and without accents, and digits;
 * everything else one hyphen, none at the ends. A name without any such character becomes `org`.
 */
export function slugOf(name: string): string {
  const slug = fold(name)
    .replace(/[æœđðþħı]/g, (letter) => LETTERS[letter] ?? "")
    .replace(/[^a-z0-9]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  return slug || FALLBACK;
}

/** Names an organization in a filter. */
export type OrganizationChoice = { id: string; name: string };

/** Limits how many organizations a filter offers. Those beyond are found by the search of the list. */
export const CHOICES_LIMIT = 15;

/** Holds the organizations that a filter offers, and whether there are more of them. */
export type OrganizationChoices = { choices: readonly OrganizationChoice[]; isMore: boolean };
export const NO_CHOICES: OrganizationChoices = { choices: [], isMore: false };

/** Says that a form about an organization changed nothing. */
export const ORGANIZATION_UNCHANGED = {
  title: "Nothing changed",
  message: "The organization was like that already.",
} as const;
