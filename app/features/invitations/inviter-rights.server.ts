import { type SQL, sql } from "drizzle-orm";

/*
 * Whether somebody may invite, as the database knows it at this moment. An invitation is void when its inviter may not
 * invite any more, so the conditions also stand in the batch that accepts it. They repeat `user.invite`,
 * `member.invite` and, for owners, `organization.manage` of the policy.
 */

/** Returns the condition that a person is an active administrator of the platform. `person`: an id, or its column. */
export const isAdmin = (person: SQL | string): SQL =>
  sql`exists (select 1 from user_roles ir join users iu on iu.id = ir.user_id
    where ir.user_id = ${person} and ir.role = 'admin' and iu.status = 'active')`;

/** Names the organization and the role that somebody is invited to: values, or the columns that hold them. */
type Place = { organization: SQL | string; role: SQL | string };

/** Returns the condition that a person may invite members to an organization; owners only as an administrator. */
export const mayInviteMembers = (person: SQL | string, { organization, role }: Place): SQL =>
  sql`(${isAdmin(person)} or ${role} <> 'owner' and exists (select 1 from organization_memberships im join users iu on iu.id = im.user_id
    where im.organization_id = ${organization} and im.user_id = ${person} and im.status = 'active'
      and im.role in ('owner', 'admin') and iu.status = 'active'))`;
