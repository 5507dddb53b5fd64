import { type SQL, sql } from "drizzle-orm";

/*
 * Whether somebody may invite, as the database knows it at this moment. An invitation is void when its inviter may not
 * invite any more, so the conditions also stand in the batch that accepts it. They repeat `user.invite` and
 * `member.invite` of the policy.
 */

/** Returns the condition that a person is an active administrator of the platform. `person`: an id, or its column. */
export const isAdmin = (person: SQL | string): SQL =>
  sql`exists (select 1 from user_roles ir join users iu on iu.id = ir.user_id
    where ir.user_id = ${person} and ir.role = 'admin' and iu.status = 'active')`;

/** Returns the condition that a person may invite members to an organization. */
export const mayInviteMembers = (person: SQL | string, organization: SQL | string): SQL =>
  sql`(${isAdmin(person)} or exists (select 1 from organization_memberships im join users iu on iu.id = im.user_id
    where im.organization_id = ${organization} and im.user_id = ${person} and im.status = 'active'
      and im.role in ('owner', 'admin') and iu.status = 'active'))`;
