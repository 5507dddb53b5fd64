import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { type OrganizationRole, platformRole } from "~/access/model";
import {
  commit,
  expectChange,
  expectNoRow,
  expectRow,
  expectThat,
  isDuplicate,
  type Statement,
} from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { type AuditActor, toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { freeAddress, isReserved } from "~/features/auth/address-reservations.server";
import type { PasswordFlaw, SignInStep } from "~/features/auth/model";
import { hashNewPassword, passwordFlaw } from "~/features/auth/passwords.server";
import { organizationSubject } from "~/features/organizations/model";
import { continueSignIn } from "~/features/sign-in/authenticator.server";
import { deleteDraft, findDraft, type SignUpDraft } from "~/features/sign-in/sign-up.server";
import { nameColumns, userSubject } from "~/features/users/model";
import type { Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { deleteLinkCookie, linkTokenOf, rememberDevice } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limits.server";
import { isAdmin, mayInviteMembers } from "./invite-permissions.server";
import type { OpenTarget } from "./model";
import { IS_NEW, recordInvitation, removeTarget } from "./targets.server";

export type OpenedInvitation = {
  idHash: string;
  target: OpenTarget;
  inviter: string;
  expiresAt: Instant;
  state: "open" | "used" | "replaced" | "expired" | "void";
  /** Else an administrator handed it over: then it proves no address. */
  provesAddress: boolean;
  epoch: number;
  address: { status: "unverified" | "pending" | "active" | "deactivated" | null; isReserved: boolean };
};

type Lookup =
  | { kind: "found"; invitation: OpenedInvitation }
  /** `unknown`: revoked, turned down, its organization is gone, or a guess. */
  | { kind: "none" | "unknown" }
  | { kind: "blocked"; retryAt: Instant };

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

/** One that was used says so before anything else. */
function stateOf(row: Row, now: Instant): OpenedInvitation["state"] {
  if ((row.accountStatus ?? row.membershipStatus) !== "pending") return "used";
  if (row.consumedAt !== null) return row.hasNewer ? "replaced" : "used";
  if (row.expiresAt <= now) return "expired";
  return row.mayInvite ? "open" : "void";
}

/** Of several batches with it only one is committed, and none when its inviter may not invite any more. */
function consumeInvitation({ db, now }: Pick<Ctx, "db" | "now">, { idHash, target }: OpenedInvitation): Statement[] {
  const inviter = sql`${invitations.invited_by}`;
  const mayInvite =
    target.kind === "account"
      ? isAdmin(inviter)
      : mayInviteMembers(inviter, { organization: target.organization.id, role: target.role });
  return [
    db
      .update(invitations)
      .set({ consumed_at: now() })
      .where(
        and(
          eq(invitations.id_hash, idHash),
          isNull(invitations.consumed_at),
          gt(invitations.expires_at, now()),
          mayInvite,
        ),
      ),
    expectChange(db),
  ];
}

/** Sessions keep their organization: without a chosen one it would be the first by name, perhaps the new one. */
function joinOrganization(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { membershipId, organization, role }: Extract<OpenTarget, { kind: "membership" }>,
  person: { userId: string; fullName: string; email: string; role: string },
): Statement[] {
  const at = ctx.now();
  const actor: AuditActor = toAuditActor(person);
  return [
    keepCurrentOrganization(ctx, person.userId),
    // An organization has one owner, who may have come in another way since the invitation.
    ...(role === "owner"
      ? [expectNoRow(ctx.db, organizationMemberships, otherOwner(organization.id, membershipId))]
      : []),
    ctx.db
      .update(organizationMemberships)
      .set({ user_id: person.userId, status: "active", joined_at: at, updated_at: at })
      .where(
        and(
          eq(organizationMemberships.id, membershipId),
          eq(organizationMemberships.status, "pending"),
          isNull(organizationMemberships.user_id),
        ),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, "organization.member_joined", {
      subject: organizationSubject(organization),
      orgId: organization.id,
      meta: { role },
      actor,
    }),
  ];
}

const otherOwner = (organizationId: string, membershipId: string) =>
  and(
    eq(organizationMemberships.organization_id, organizationId),
    eq(organizationMemberships.role, "owner"),
    ne(organizationMemberships.id, membershipId),
  );

const keepCurrentOrganization = ({ db }: Pick<Ctx, "db">, userId: string): Statement =>
  db
    .update(sessions)
    .set({
      current_org_id: sql`(select o.id from organization_memberships m join organizations o on o.id = m.organization_id
        where m.user_id = ${userId} and m.status = 'active' order by o.name_key, o.id limit 1)`,
    })
    .where(
      sql`${sessions.user_id} = ${userId} and ${sessions.revoked_at} is null and not exists (
        select 1 from organization_memberships where user_id = ${userId} and status = 'active'
        and organization_id = ${sessions.current_org_id})`,
    );

/** `not_open`: the invitation, or the account, has changed meanwhile; the page says how. */
type AcceptError =
  | { code: PasswordFlaw }
  | { code: "not_open" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };
type Failed = { ok: false; error: AcceptError };
type Accepted = { ok: true; wasMember?: true } | Failed;
type Opened = { ok: true; next: SignInStep } | Failed;

const NOT_OPEN: Failed = { ok: false, error: { code: "not_open" } };

/**
 * Bound to its address: theirs must be the same, and still be so in the batch. Who is a member already only uses it up.
 */
export async function acceptInvitation(ctx: Ctx, invitation: OpenedInvitation, person: SignedIn): Promise<Accepted> {
  const { target } = invitation;
  if (target.kind !== "membership") return NOT_OPEN;
  const uses = [
    ...consumeInvitation(ctx, invitation),
    expectRow(
      ctx.db,
      users,
      and(eq(users.id, person.userId), eq(users.email, target.email), eq(users.status, "active")),
    ),
  ];
  try {
    const accepted = await commit(ctx.db, [...uses, ...joinOrganization(ctx, target, person)]);
    if (!accepted) return NOT_OPEN;
  } catch (error) {
    if (!isDuplicate(error, "organization_memberships.organization_id")) throw error;
    if (!(await commit(ctx.db, [...uses, ...removeTarget(ctx, target)]))) return NOT_OPEN;
    deleteLinkCookie(ctx, "invitation");
    return { ok: true, wasMember: true };
  }
  deleteLinkCookie(ctx, "invitation");
  return { ok: true };
}

export async function openInvitedAccount(
  ctx: Ctx,
  invitation: OpenedInvitation,
  { fullName, password }: { fullName: string; password: string },
): Promise<Opened> {
  if (!invitation.provesAddress) return NOT_OPEN;
  const flaw = await passwordFlaw(ctx, password, invitation.target.email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  return openAccount(ctx, invitation, { fullName, passwordHash: hashed.hash });
}

/** Null: nothing was typed, or the account is one of the staff, whose password is typed with the link at hand. */
export const draftFor = async (ctx: Ctx, { target }: OpenedInvitation): Promise<SignUpDraft | null> =>
  target.kind === "account" && target.role !== "user" ? null : findDraft(ctx, target.email);

/** Opens the account of an invitation with what was typed at a sign-up in this browser, which sent the mail again. */
export async function openFromDraft(ctx: Ctx, invitation: OpenedInvitation): Promise<Opened> {
  const draft = await draftFor(ctx, invitation);
  return draft ? openAccount(ctx, invitation, draft) : NOT_OPEN;
}

/** The link proves the address. Its owner is signed in as far as nothing else is required. */
async function openAccount(
  ctx: Ctx,
  invitation: OpenedInvitation,
  { fullName, passwordHash }: Pick<SignUpDraft, "fullName" | "passwordHash">,
): Promise<Opened> {
  const { target } = invitation;
  if (!invitation.provesAddress) return NOT_OPEN;
  const typed = {
    ...nameColumns(fullName),
    password_hash: passwordHash,
    status: "active" as const,
    updated_at: ctx.now(),
  };
  const { epoch } = invitation;
  const userId = target.kind === "account" ? target.userId : ctx.newId("usr");
  const opened =
    target.kind === "account"
      ? activate(ctx, { ...target, epoch }, typed)
      : createMember(ctx, target, { ...typed, id: userId });
  try {
    if (!(await commit(ctx.db, [...consumeInvitation(ctx, invitation), ...opened]))) return NOT_OPEN;
  } catch (error) {
    // Somebody has confirmed an account with the address meanwhile: it accepts the invitation after signing in.
    if (isDuplicate(error, "users.email")) return NOT_OPEN;
    throw error;
  }
  deleteLinkCookie(ctx, "invitation");
  deleteDraft(ctx);
  rememberDevice(ctx, { userId, epoch });
  return { ok: true, next: await continueSignIn(ctx, { userId, epoch, isFirst: true, redirectTo: null }) };
}

type TypedAccount = ReturnType<typeof nameColumns> & { password_hash: string; status: "active"; updated_at: Instant };

/** It keeps its role; staff set up a second factor. */
function activate(
  ctx: Ctx,
  { userId, email, role, epoch }: Extract<OpenTarget, { kind: "account" }> & { epoch: number },
  typed: TypedAccount,
): Statement[] {
  const person = { userId, email, role, fullName: typed.full_name };
  return [
    ctx.db
      .update(users)
      .set(typed)
      .where(
        and(eq(users.id, userId), eq(users.email, email), eq(users.status, "pending"), eq(users.auth_epoch, epoch)),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, "user.invitation_accepted", { subject: userSubject(person), actor: toAuditActor(person) }),
  ];
}

/** One that only claims the address gives way. */
function createMember(
  ctx: Ctx,
  target: Extract<OpenTarget, { kind: "membership" }>,
  typed: TypedAccount & { id: string },
): Statement[] {
  const { email } = target;
  const userId = typed.id;
  const person = { userId, email, role: "user", fullName: typed.full_name };
  return [
    expectThat(ctx.db, sql`not ${isReserved(ctx, email, userId)}`),
    ...freeAddress(ctx.db, email),
    ctx.db.insert(users).values({ email, ...typed, created_at: ctx.now() }),
    recordAudit(ctx, "user.invitation_accepted", { subject: userSubject(person), actor: toAuditActor(person) }),
    ...joinOrganization(ctx, target, person),
  ];
}

export async function declineInvitation(ctx: Ctx, invitation: OpenedInvitation): Promise<boolean> {
  const { target } = invitation;
  const declined = await commit(ctx.db, [
    ...consumeInvitation(ctx, invitation),
    recordInvitation(ctx, target, "invitation_declined"),
    ...removeTarget(ctx, target),
  ]);
  if (declined) deleteLinkCookie(ctx, "invitation");
  return declined;
}
