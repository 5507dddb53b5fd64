import type { OrganizationRole } from "~/access/model";
import type { SubjectKind } from "~/access/policy";
import type { ErrorText } from "~/lib/error-texts";
import type { NamedSubject } from "~/lib/subject";
import { fold } from "~/lib/text";

export const organizationTexts = ({ name, description }: { name: string; description: string }) => ({
  name,
  description,
  search_name: fold(name),
  search_description: fold(description),
});

export const ORGANIZATION_PLANS = ["none", "basic", "core", "premium"] as const;
export type OrganizationPlan = (typeof ORGANIZATION_PLANS)[number];

/** Lists slugs that no organization may have because they are parts of our URLs. */
export const RESERVED_SLUGS: readonly string[] = ["admin", "api", "client", "new", "support", "www"];

const FALLBACK = "org";

/** Lists letters that no ASCII letter with an accent is; `fold` knows "ß", "ł" and "ø". */
const LETTERS: Readonly<Record<string, string>> = { æ: "ae", œ: "oe", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i" };

/** ASCII letters without accents and digits; everything else one hyphen. A name without any such character is `org`. */
export function slugOf(name: string): string {
  const slug = fold(name)
    .replace(/[æœđðþħı]/g, (letter) => LETTERS[letter] ?? "")
    .replace(/[^a-z0-9]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  return slug || FALLBACK;
}

export type OrganizationOption = { id: string; name: string };

/** Limits how many organizations a filter offers. Those beyond are found by the search of the list. */
export const CHOICES_LIMIT = 15;

export type OrganizationChoices = { choices: readonly OrganizationOption[]; isMore: boolean };
export const NO_CHOICES: OrganizationChoices = { choices: [], isMore: false };

export const ORGANIZATION_UNCHANGED = {
  title: "Nothing changed",
  message: "The organization was like that already.",
} as const;

type Member = { membership: { organizationId: string; organizationName: string; role: OrganizationRole } };

/** They have switched in another tab. For `conflict` in tables of forms, whose pages send `organization_id`. */
export function otherOrganization({ membership }: Member, fields: Record<string, string>): ErrorText | null {
  if (fields.organization_id === membership.organizationId) return null;
  return {
    title: "You have switched organizations",
    text: `This form is about another organization, and you now work in ${membership.organizationName}. Nothing was changed. Switch back, or reload the page.`,
  };
}

export const ORGANIZATIONS_PATH = "/admin/organizations";

export const organizationPath = (id: string): string => `${ORGANIZATIONS_PATH}/${encodeURIComponent(id)}`;
export const organizationContactsPath = (id: string): string => `${organizationPath(id)}#contacts`;

export const organizationKind: SubjectKind = {
  noun: "organization",
  idPrefix: "org",
  ability: "organization.view",
  pages: { staff: organizationPath },
  listPath: ORGANIZATIONS_PATH,
};

export const organizationSubject = ({ id, name }: { id: string; name: string }): NamedSubject => ({
  type: "organization",
  id,
  label: name,
});

export const ORGANIZATION_NAME_MAX = 200;
export const ORGANIZATION_DESCRIPTION_MAX = 2_000;
