import type { Ability } from "~/access/policy";
import { can } from "~/access/policy";
import { type MemberActor, requireClient, requireMember } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { conflictResponse } from "~/platform/form-actions.server";
import { readForm } from "~/platform/read-form.server";
import { otherOrganization } from "./same-organization";

/**
 * Guards the forms of an organization, as `requireMember` does. Whoever may not send one in the organization that they
 * have switched to in another tab reads that they have switched, and keeps what they typed.
 */
export async function requireFormMember(context: Ctx, ability: Ability, request: Request): Promise<MemberActor> {
  const { membership, ...person } = await requireClient(context);
  if (membership && !can({ ...person, membership }, ability, membership)) {
    const { fields } = await readForm(request, { only: ["organization_id"] });
    const conflict = fields.organization_id ? otherOrganization({ membership }, fields) : null;
    if (conflict) throw conflictResponse(conflict);
  }
  return requireMember(context, ability);
}
