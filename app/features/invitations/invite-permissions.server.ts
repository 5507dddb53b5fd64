import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { OpenTarget } from "./model";

/** Owners are invited by administrators of the platform alone. */
export function mayInviteTo(actor: Actor, target: OpenTarget): boolean {
  if (target.kind === "account") return can(actor, "user.invite");
  if (target.role === "owner" && !can(actor, "organization.manage")) return false;
  return can(actor, "member.invite", { organizationId: target.organization.id });
}

/**
 * An invitation is void when its inviter may not invite any more, so the batch that accepts it has these conditions
 * too. They repeat `user.invite`, `member.invite` and, for owners, `organization.manage` of the policy.
 */

/** Returns the condition that a person is an active administrator of the platform. `person`: an id, or its column. */
export const isAdmin = (person: SQL | string): SQL =>
  sql`exists (select 1 from user_roles ir join users iu on iu.id = ir.user_id
    where ir.user_id = ${person} and ir.role = 'admin' and iu.status = 'active')`;

type Place = { organization: SQL | string; role: SQL | string };

export const mayInviteMembers = (person: SQL | string, { organization, role }: Place): SQL =>
  sql`(${isAdmin(person)} or ${role} <> 'owner' and exists (select 1 from organization_memberships im join users iu on iu.id = im.user_id
    where im.organization_id = ${organization} and im.user_id = ${person} and im.status = 'active'
      and im.role in ('owner', 'admin') and iu.status = 'active'))`;
