import { sql } from "drizzle-orm";
import { type OrganizationRole, platformRole } from "~/access/model";
import { commit } from "~/db/client.server";
import { isReserved } from "~/features/auth/address-claims.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { linkTokenOf } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limit.server";
import { isAdmin, mayInviteMembers } from "../inviter-rights.server";
import { IS_NEW, type OpenTarget } from "../open-targets.server";

/** Describes an invitation whose link somebody has opened, as the database has it now. */
export type OpenedInvitation = {
  idHash: string;
  target: OpenTarget;
  inviter: string;
  expiresAt: Instant;
  state: "open" | "used" | "replaced" | "expired" | "void";
  /**
   * Tells whether the link came by mail, or from an administrator of the platform: whoever has it may open an account
   * with it.
   */
  provesAddress: boolean;
  /** Holds the epoch of the account staff have prepared; 0 for a new one. */
  epoch: number;
  /** Holds what the address is to the product besides this invitation. */
  address: { status: "unverified" | "pending" | "active" | "deactivated" | null; isReserved: boolean };
};

type Lookup =
  | { kind: "found"; invitation: OpenedInvitation }
  /**
   * Tells that there is no invitation: `none` if no link was opened, `unknown` if it was revoked or turned down, its
   * organization is gone, or it is a guess.
   */
  | { kind: "none" | "unknown" }
  | { kind: "blocked"; retryAt: Instant };

/** Looks up the invitation the person opened. Links that do not exist are counted per network. */
export async function lookUpInvitation(ctx: Pick<Ctx, "after" | "db" | "now" | "request">): Promise<Lookup> {
  const token = linkTokenOf(ctx, "invitation");
  if (!token) return { kind: "none" };
  const { network } = ctx.request;
  const [limit, row] = await Promise.all([
    takeLimit(ctx.db, "link_ip", network, ctx.now()),
    findInvitation(ctx, hashToken(token)),
  ]);
  if (!limit.allowed) return { kind: "blocked", retryAt: limit.retryAt };
  if (!row) return { kind: "unknown" };
  ctx.after(commit(ctx.db, [giveBackLimit(ctx.db, "link_ip", network)]));
  return { kind: "found", invitation: openedInvitation(row, ctx.now()) };
}

type Row = {
  idHash: string;
  email: string;
  inviter: string;
  expiresAt: number;
  consumedAt: number | null;
  mailId: string | null;
  byAdmin: number;
  mayInvite: number;
  hasNewer: number;
  userId: string | null;
  fullName: string | null;
  accountRole: string | null;
  accountStatus: string | null;
  epoch: number | null;
  membershipId: string | null;
  membershipStatus: string | null;
  role: OrganizationRole;
  organizationId: string;
  organizationName: string;
  isNew: number;
  addressStatus: OpenedInvitation["address"]["status"];
  reserved: number;
};

const findInvitation = ({ db, now }: Pick<Ctx, "db" | "now">, idHash: string): Promise<Row | undefined> =>
  db.get<Row | undefined>(sql`
    SELECT i.id_hash AS idHash, i.email, i.inviter_name AS inviter, i.expires_at AS expiresAt,
      i.consumed_at AS consumedAt, i.mail_id AS mailId, ${isAdmin(sql`i.invited_by`)} AS byAdmin,
      CASE WHEN i.user_id IS NULL THEN ${mayInviteMembers(sql`i.invited_by`, { organization: sql`m.organization_id`, role: sql`m.role` })}
        ELSE ${isAdmin(sql`i.invited_by`)} END AS mayInvite,
      EXISTS (SELECT 1 FROM invitations n WHERE n.consumed_at IS NULL
        AND (n.user_id = i.user_id OR n.membership_id = i.membership_id)) AS hasNewer,
      invited.id AS userId, invited.full_name AS fullName, invited.status AS accountStatus, invited.auth_epoch AS epoch, r.role AS accountRole,
      m.id AS membershipId, m.status AS membershipStatus, m.role, o.id AS organizationId, o.name AS organizationName,
      ${IS_NEW},
      holder.status AS addressStatus,
      ${isReserved({ now }, sql`i.email`, sql`coalesce(holder.id, '')`)} AS reserved
    FROM invitations i LEFT JOIN users invited ON invited.id = i.user_id
    LEFT JOIN user_roles r ON r.user_id = invited.id
    LEFT JOIN organization_memberships m ON m.id = i.membership_id
    LEFT JOIN organizations o ON o.id = m.organization_id
    LEFT JOIN users holder ON holder.email = i.email
    WHERE i.id_hash = ${idHash}`);

function openedInvitation(row: Row, now: Instant): OpenedInvitation {
  return {
    idHash: row.idHash,
    target: targetOf(row),
    inviter: row.inviter,
    expiresAt: row.expiresAt,
    state: stateOf(row, now),
    epoch: row.epoch ?? 0,
    provesAddress: row.mailId !== null || row.byAdmin === 1,
    address: { status: row.addressStatus, isReserved: row.reserved === 1 },
  };
}

function targetOf({ userId, membershipId, email, fullName, accountRole, ...row }: Row): OpenTarget {
  if (userId !== null) {
    return { kind: "account", userId, fullName: fullName ?? "", email, role: platformRole(accountRole) };
  }
  const organization = { id: row.organizationId, name: row.organizationName, isNew: row.isNew === 1 };
  return { kind: "membership", membershipId: membershipId ?? "", organization, email, role: row.role };
}

/** Returns why a link works, or does not. One that was used says so before anything else. */
function stateOf(row: Row, now: Instant): OpenedInvitation["state"] {
  if ((row.accountStatus ?? row.membershipStatus) !== "pending") return "used";
  if (row.consumedAt !== null) return row.hasNewer ? "replaced" : "used";
  if (row.expiresAt <= now) return "expired";
  return row.mayInvite ? "open" : "void";
}
