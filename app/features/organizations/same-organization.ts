import type { OrganizationRole } from "~/access/model";
import type { ErrorText } from "~/lib/error-texts";

type Member = { membership: { organizationId: string; organizationName: string; role: OrganizationRole } };

/**
 * Returns why a form cannot be taken: it is about another organization than the one its sender works in now, because
 * they have switched in another tab. For `conflict` in the tables of forms that change an organization; each of these
 * has the organization of its page in the hidden field `organization_id`.
 */
export function otherOrganization({ membership }: Member, fields: Record<string, string>): ErrorText | null {
  if (fields.organization_id === membership.organizationId) return null;
  return {
    title: "You have switched organizations",
    text: `This form is about another organization, and you now work in ${membership.organizationName}. Nothing was changed. Switch back, or reload the page.`,
  };
}
