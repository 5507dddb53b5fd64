import { and, eq, isNull, not, type SQL, sql } from "drizzle-orm";
import type { Actor, OrganizationRole, PlatformRole } from "~/access/model";
import { can } from "~/access/policy";
import { commit, type Db, expectChange, expectThat, isDuplicate, type Statement } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { emailHash, freeAddress, isReserved } from "~/features/auth/address-reservations.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { UNDELIVERED } from "~/features/mail/model";
import { notifyPeople } from "~/features/notifications/notify-people.server";
import { organizationSubject } from "~/features/organizations/model";
import { getSettings } from "~/features/settings/queries.server";
import { nameColumns, userSubject } from "~/features/users/model";
import { withParams } from "~/lib/addresses";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import { fail, ok, type Result } from "~/lib/errors";
import type { Subject } from "~/lib/subject";
import { dayIn, type Instant } from "~/lib/time";
import { shortDay, shortWeekday } from "~/lib/time-labels";
import type { Ctx } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { giveBackLimit, type LimitType, takeLimit } from "~/platform/rate-limits.server";
import { isAdmin, mayInviteMembers } from "./invite-permissions.server";
import {
  INVITATION_LIFETIME,
  INVITATION_PATH,
  type InvitationTarget,
  type InviteOutcome,
  type Inviter,
  ORGANIZATION_ROLE_LABELS,
  PLATFORM_ROLE_LABELS,
} from "./model";
import { invitationStates } from "./queries.server";
import {
  expectOpen,
  expectWaiting,
  findOpenTarget,
  findTarget,
  IS_NEW,
  invitationOf,
  invitedAddress,
  recordInvitation,
  removeTarget,
} from "./targets.server";

/**
 * "invitee": the signed-in owner of the address; "form": whoever fills in a form with it. Organizations are new until
 * reviewed.
 */
type InvitationSender = { id: string; isNew: boolean; inviterId: string } | "staff" | "invitee" | "form";

/** What staff send for a new one counts as theirs. */
export const senderOf = (inviter: Inviter, { id, isNew }: { id: string; isNew: boolean }): InvitationSender =>
  isNew && can(inviter, "organization.manage") ? "staff" : { id, isNew, inviterId: inviter.userId };

/**
 * Every sender has a share of what a mailbox may get in a day, new organizations all together one, so that nobody keeps
 * others from inviting it. Null: it is one too many.
 */
export async function takeInvitation(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  { email, timeZone, sender }: { email: string; timeZone: string; sender: InvitationSender },
): Promise<(() => Promise<void>) | null> {
  const mailbox = emailHash(ctx, email);
  const now = ctx.now();
  const day = dayIn(timeZone, now);
  const organization = typeof sender === "string" ? null : sender;
  const isNew = organization?.isNew ?? false;
  const limits: { type: LimitType; identifier: string }[] = [
    ...(organization ? [{ type: isNew ? "invite_new_org" : "invite_org", identifier: organization.id } as const] : []),
    ...(organization && isNew
      ? [{ type: "invite_new_org", identifier: `user:${organization.inviterId}` } as const]
      : []),
    { type: "invite_addr", identifier: `${organization ? organization.id : sender}:${mailbox}` },
    ...(isNew ? [{ type: "invite_addr_new", identifier: mailbox } as const] : []),
    { type: "invite_addr_all", identifier: mailbox },
  ];
  const giveBack = async (taken: typeof limits) => {
    await commit(
      ctx.db,
      taken.map(({ type, identifier }) => giveBackLimit(ctx.db, type, `${identifier}:${day}`)),
    );
  };
  for (const [index, { type, identifier }] of limits.entries()) {
    if ((await takeLimit(ctx.db, type, `${identifier}:${day}`, now)).allowed) continue;
    if (index > 0) await giveBack(limits.slice(0, index));
    return null;
  }
  return () => giveBack(limits);
}

async function isNewOrganization(db: Db, organizationId: string): Promise<boolean> {
  const [row] = await db.all<{ isNew: number }>(
    sql`SELECT ${IS_NEW} FROM organizations o WHERE o.id = ${organizationId}`,
  );
  return row?.isNew === 1;
}

type Invitation = {
  email: string;
  inviter: { userId: string; fullName: string };
  role: string;
  expiresAt?: Instant;
} & ({ userId: string } | { membershipId: string; organization: { id: string; name: string; isNew: boolean } });

/** Without a mail it was handed over, and proves no address. */
export function prepareInvitation(
  ctx: Ctx,
  invitation: Invitation,
  mail: { timeZone: string; notBefore?: Instant } | null,
): { path: string; statements: Statement[] } {
  const { email, inviter, expiresAt = ctx.now() + INVITATION_LIFETIME } = invitation;
  const token = ctx.newToken();
  const now = ctx.now();
  const mailId = mail && ctx.newId("mail");
  const target = "userId" in invitation ? { user_id: invitation.userId } : { membership_id: invitation.membershipId };
  const path = withParams(INVITATION_PATH, { token });
  return {
    path,
    statements: [
      closeInvitations(ctx, invitation),
      ctx.db.insert(invitations).values({
        id_hash: hashToken(token),
        ...target,
        email,
        invited_by: inviter.userId,
        inviter_name: inviter.fullName,
        mail_id: mailId,
        created_at: now,
        expires_at: expiresAt,
      }),
      ...(mail && mailId
        ? [
            queueMail(ctx, mailId, invitation, {
              path,
              expiresOn: dayOf(mail.timeZone, expiresAt),
              notBefore: mail.notBefore,
            }),
          ]
        : []),
    ],
  };
}

const dayOf = (zone: string, at: Instant): string => {
  const day = dayIn(zone, at);
  return `${shortWeekday(day)}, ${shortDay(day)}`;
};

function queueMail(
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  id: string,
  invitation: Invitation,
  { path, expiresOn, notBefore }: { path: string; expiresOn: string; notBefore?: Instant },
): Statement {
  const { email: to, inviter, role } = invitation;
  const data = { path, removePath: withParams(path, { answer: "no" }), inviter: inviter.fullName, role, expiresOn };
  const about: Subject =
    "userId" in invitation
      ? { type: "user", id: invitation.userId }
      : { type: "organization", id: invitation.organization.id };
  if ("userId" in invitation) return enqueueMail(ctx, "account-invitation", { id, to, about, data, notBefore });
  const { name, isNew } = invitation.organization;
  const toMembers = { ...data, organization: name, isNew };
  return enqueueMail(ctx, "organization-invitation", { id, to, about, data: toMembers, notBefore });
}

const closeInvitations = (ctx: Pick<Ctx, "db" | "now">, target: { userId: string } | { membershipId: string }) =>
  ctx.db
    .update(invitations)
    .set({ consumed_at: ctx.now() })
    .where(
      and(
        "userId" in target
          ? eq(invitations.user_id, target.userId)
          : eq(invitations.membership_id, target.membershipId),
        isNull(invitations.consumed_at),
      ),
    );

type Organization = { id: string; name: string };

type Invitations = {
  inviter: Inviter;
  organization: Organization;
  emails: readonly string[];
  /** Names the role: only administrators of the platform invite an owner, to an organization that has none. */
  role: OrganizationRole;
  /** Chosen from those who are known: counted as staff's, and not by what an organization may send. */
  isBatch?: boolean;
};

type Invited = { email: string; outcome: InviteOutcome };

/**
 * Each address is a batch of its own, so that a wrong one stops no other. Whether it has an account is not shown,
 * unless the settings ask for accounts.
 */
export async function inviteMembers(
  ctx: Ctx,
  { inviter, organization, emails, role, isBatch = false }: Invitations,
): Promise<Invited[]> {
  const addresses = [...new Set(emails.map(normalizeEmail))];
  const mayInvite =
    can(inviter, "member.invite", { organizationId: organization.id }) &&
    (role !== "owner" || can(inviter, "organization.manage"));
  if (!mayInvite) return addresses.map((email) => ({ email, outcome: "denied" }));
  const [settings, known, isNew] = await Promise.all([
    getSettings(ctx.db),
    findKnownAddresses(ctx.db, organization.id, addresses),
    isNewOrganization(ctx.db, organization.id),
  ]);
  const invited: Invited[] = [];
  for (const email of addresses) {
    const found = known.get(email);
    const invitation = { inviter, organization: { ...organization, isNew }, email, role, timeZone: settings.timeZone };
    const outcome =
      reasonAgainst(email, { inviter, found, needsAccount: settings.onlyInviteExistingAccounts }) ??
      (await inviteMember(ctx, invitation, isBatch ? "staff" : senderOf(inviter, invitation.organization)));
    invited.push({ email, outcome });
  }
  if (invited.some(({ outcome }) => outcome === "invited")) ctx.after(deliverOutbox(ctx));
  return invited;
}

type KnownAddress = { member: number; pending: number; account: number; own: string | null };

/** Returns why an address is not invited, as far as that is known before the batch. */
function reasonAgainst(
  email: string,
  { inviter, found, needsAccount }: { inviter: Inviter; found: KnownAddress | undefined; needsAccount: boolean },
): InviteOutcome | null {
  if (email.length > EMAIL_MAX || !isEmailAddress(email)) return "invalid";
  if (found?.member) return "already_member";
  if (found?.own === inviter.userId) return "own_address";
  if (found?.pending) return "invited_before";
  return needsAccount && !found?.account ? "no_account" : null;
}

async function findKnownAddresses(
  db: Db,
  organizationId: string,
  emails: readonly string[],
): Promise<Map<string, KnownAddress>> {
  const rows = await db.all<KnownAddress & { email: string }>(sql`
    SELECT typed.value AS email, u.id AS own, u.status = 'active' AS account,
      EXISTS (SELECT 1 FROM organization_memberships WHERE organization_id = ${organizationId} AND user_id = u.id) AS member,
      EXISTS (SELECT 1 FROM organization_memberships WHERE organization_id = ${organizationId}
        AND invited_email = typed.value AND status = 'pending') AS pending
    FROM json_each(${JSON.stringify(emails)}) typed LEFT JOIN users u ON u.email = typed.value`);
  return new Map(rows.map(({ email, ...known }) => [email, known]));
}

type MemberInvitation = {
  inviter: Inviter;
  organization: Organization & { isNew: boolean };
  email: string;
  role: OrganizationRole;
  timeZone: string;
  /** Before it the mail does not leave: until then it can be taken back. */
  notBefore?: Instant;
};

async function inviteMember(ctx: Ctx, invitation: MemberInvitation, sender: InvitationSender): Promise<InviteOutcome> {
  const { email, timeZone } = invitation;
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender });
  if (!giveBack) return "limited";
  const outcome = await storeInvitation(ctx, invitation);
  if (outcome !== "invited") await giveBack();
  return outcome;
}

async function storeInvitation(ctx: Ctx, invitation: MemberInvitation): Promise<InviteOutcome> {
  const { email, organization, inviter, role } = invitation;
  try {
    const written = await commit(ctx.db, [
      expectThat(ctx.db, mayInviteMembers(inviter.userId, { organization: organization.id, role })),
      ...memberInvitation(ctx, invitation),
    ]);
    if (written) return "invited";
    const known = await findKnownAddresses(ctx.db, organization.id, [email]);
    return known.get(email)?.member ? "already_member" : "denied";
  } catch (error) {
    if (isDuplicate(error, "organization_memberships.organization_id")) return "invited_before";
    throw error;
  }
}

/**
 * For a batch that may also create the organization. It fails for a member, and for a second owner; the caller delivers
 * the outbox.
 */
export function memberInvitation(
  ctx: Ctx,
  { inviter, organization, email, role, timeZone, notBefore }: MemberInvitation,
): Statement[] {
  const membershipId = ctx.newId("mem");
  const now = ctx.now();
  const link = prepareInvitation(
    ctx,
    { email, inviter, role: ORGANIZATION_ROLE_LABELS[role], membershipId, organization },
    { timeZone, notBefore },
  );
  return [
    expectThat(ctx.db, canBeInvited(organization.id, email, role)),
    ctx.db.insert(organizationMemberships).values({
      id: membershipId,
      organization_id: organization.id,
      role,
      status: "pending",
      invited_email: email,
      invited_by: inviter.userId,
      invited_at: now,
      created_at: now,
      updated_at: now,
    }),
    ...link.statements,
    ...notifyPeople(ctx, {
      subject: organizationSubject(organization),
      label: sql`${organization.name}`,
      itemId: membershipId,
      recipients: [{ event: "invited", people: memberElsewhere(email) }],
      actor: inviter,
      mail: null,
    }),
    recordAudit(ctx, "organization.member_invited", {
      subject: organizationSubject(organization),
      orgId: organization.id,
      meta: { ...invitedAddress(ctx, email), role },
      actor: toAuditActor(inviter),
    }),
  ];
}

const memberElsewhere = (email: string): SQL => sql`
  SELECT m.user_id, m.organization_id FROM users u
  JOIN organization_memberships m ON m.user_id = u.id AND m.status = 'active'
  WHERE u.email = ${email} AND u.status = 'active' ORDER BY m.created_at DESC LIMIT 1`;

/** No member yet, and one owner at most. */
const canBeInvited = (organizationId: string, email: string, role: OrganizationRole): SQL =>
  sql`exists (select 1 from organizations where id = ${organizationId})
    and not exists (select 1 from organization_memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${email})
    and (${role} <> 'owner' or not exists (select 1 from organization_memberships
      where organization_id = ${organizationId} and role = 'owner'))`;

/**
 * No password, so nobody can sign in until the link is used; only the role of an active account gives rights. A sign-up
 * that merely claims the address gives way.
 */
export async function inviteUser(
  ctx: Ctx,
  inviter: Inviter,
  { email, fullName, role }: { email: string; fullName: string; role: PlatformRole },
): Promise<Result<{ userId: string }, "email_taken" | "limited" | "denied">> {
  if (!can(inviter, "user.invite")) return fail("denied");
  const { timeZone } = await getSettings(ctx.db);
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender: "staff" });
  if (!giveBack) return fail("limited");
  const userId = ctx.newId("usr");
  const now = ctx.now();
  const subject = userSubject({ userId, fullName });
  const invitation = { email, inviter, role: PLATFORM_ROLE_LABELS[role], userId };
  try {
    const written = await commit(ctx.db, [
      expectThat(ctx.db, isAdmin(inviter.userId)),
      // An address that its former owner may take back counts as taken.
      expectThat(ctx.db, not(isReserved(ctx, email, userId))),
      ...freeAddress(ctx.db, email),
      ctx.db
        .insert(users)
        .values({ id: userId, email, ...nameColumns(fullName), status: "pending", created_at: now, updated_at: now }),
      ...(role === "user" ? [] : [ctx.db.insert(userRoles).values({ user_id: userId, role })]),
      ...prepareInvitation(ctx, invitation, { timeZone }).statements,
      recordAudit(ctx, "user.invited", { subject, meta: { role } }),
    ]);
    if (written) {
      ctx.after(deliverOutbox(ctx));
      return ok({ userId });
    }
  } catch (error) {
    if (!isDuplicate(error, "users.email")) throw error;
  }
  await giveBack();
  const { mayInvite } = await ctx.db.get<{ mayInvite: number }>(sql`select ${isAdmin(inviter.userId)} as mayInvite`);
  return fail(mayInvite ? "email_taken" : "denied");
}

type Resent = Result<{ email: string }, "not_found" | "limited">;

/** In the name of whoever does it: a new link for another week; the one before ends. */
export async function resendInvitation(ctx: Ctx, actor: Inviter, target: InvitationTarget): Promise<Resent> {
  const found = await findOpenTarget(ctx, actor, target);
  if (!found) return fail("not_found");
  const { email } = found;
  const { timeZone } = await getSettings(ctx.db);
  const sender = found.kind === "membership" ? senderOf(actor, found.organization) : "staff";
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender });
  if (!giveBack) return fail("limited");
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    ...prepareInvitation(ctx, invitationOf(found, actor), { timeZone }).statements,
    recordInvitation(ctx, found, "invitation_resent"),
  ]);
  if (!written) {
    await giveBack();
    return fail("not_found");
  }
  ctx.after(deliverOutbox(ctx));
  return ok({ email });
}

const MAX_RESENT = 3;

type Open = {
  userId: string | null;
  membershipId: string | null;
  invitedBy: string;
  inviterName: string;
  expiresAt: Instant;
};

/** In the names of those who invited, and for as long as they work anyway: anybody may ask for it. */
export async function resendInvitationsTo(ctx: Ctx, email: string): Promise<boolean> {
  const open = await findOpenInvitations(ctx, email);
  if (open.length === 0) return false;
  const { timeZone } = await getSettings(ctx.db);
  for (const invitation of open) await resendOnce(ctx, email, invitation, timeZone);
  return true;
}

const findOpenInvitations = ({ db, now }: Pick<Ctx, "db" | "now">, email: string): Promise<Open[]> =>
  db.all<Open>(sql`
    SELECT i.user_id AS userId, i.membership_id AS membershipId, i.invited_by AS invitedBy,
      i.inviter_name AS inviterName, i.expires_at AS expiresAt
    FROM (
      SELECT i.* FROM users u JOIN invitations i ON i.user_id = u.id
      WHERE u.email = ${email} AND u.status = 'pending' AND i.consumed_at IS NULL AND ${isAdmin(sql`i.invited_by`)}
      UNION ALL
      SELECT i.* FROM organization_memberships m JOIN invitations i ON i.membership_id = m.id
      WHERE m.invited_email = ${email} AND m.status = 'pending' AND i.consumed_at IS NULL
        AND ${mayInviteMembers(sql`i.invited_by`, { organization: sql`m.organization_id`, role: sql`m.role` })}
    ) i WHERE i.expires_at > ${now()} ORDER BY i.created_at DESC LIMIT ${MAX_RESENT}`);

async function resendOnce(ctx: Ctx, email: string, invitation: Open, timeZone: string): Promise<void> {
  const { userId, membershipId, invitedBy, inviterName, expiresAt } = invitation;
  const target = await findTarget(ctx, userId !== null ? { userId } : { membershipId: membershipId ?? "" });
  if (!target) return;
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender: "form" });
  if (!giveBack) return;
  const inviter = { userId: invitedBy, fullName: inviterName };
  const link = prepareInvitation(ctx, { ...invitationOf(target, inviter), expiresAt }, { timeZone });
  const written = await commit(ctx.db, [expectWaiting(ctx, target), ...link.statements]);
  if (!written) await giveBack();
}

/** Returned once and stored nowhere. Such a link proves no address: see `answering.server.ts`. */
export async function copyInvitationLink(
  ctx: Ctx,
  actor: Inviter,
  target: InvitationTarget,
): Promise<Result<{ url: string }, "not_found" | "mail_not_failed">> {
  const found = await findOpenTarget(ctx, actor, target);
  if (!found) return fail("not_found");
  const id = found.kind === "account" ? found.userId : found.membershipId;
  const mail = (await invitationStates(ctx.db, { [found.kind]: [id] }, ctx.now())).get(id)?.mail ?? null;
  if (!UNDELIVERED.some((status) => status === mail)) return fail("mail_not_failed");
  const link = prepareInvitation(ctx, invitationOf(found, actor), null);
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    ...link.statements,
    recordInvitation(ctx, found, "invitation_link_made"),
  ]);
  return written ? ok({ url: ctx.config.APP_ORIGIN + link.path }) : fail("not_found");
}

/** Nobody is told: the link stays. */
export async function changeInvitedRole(
  ctx: Ctx,
  actor: Actor,
  { role, ...target }: { membershipId: string; organizationId?: string; role: "admin" | "member" },
): Promise<Result<{ changed: boolean }, "not_found" | "owner">> {
  const found = await findOpenTarget(ctx, actor, target);
  if (found?.kind !== "membership") return fail("not_found");
  if (found.role === "owner") return fail("owner");
  if (found.role === role) return ok({ changed: false });
  const { membershipId, organization, email, role: from } = found;
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    ctx.db
      .update(organizationMemberships)
      .set({ role, updated_at: ctx.now() })
      .where(and(eq(organizationMemberships.id, membershipId), eq(organizationMemberships.role, from))),
    expectChange(ctx.db),
    recordAudit(ctx, "organization.member_role_changed", {
      subject: organizationSubject(organization),
      orgId: organization.id,
      meta: { ...invitedAddress(ctx, email), from, to: role },
    }),
  ]);
  return written ? ok({ changed: true }) : fail("not_found");
}

export async function revokeInvitation(
  ctx: Ctx,
  actor: Inviter,
  target: InvitationTarget,
): Promise<Result<{ email: string }, "not_found">> {
  const found = await findOpenTarget(ctx, actor, target);
  if (!found) return fail("not_found");
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    recordInvitation(ctx, found, "invitation_revoked"),
    ...removeTarget(ctx, found),
  ]);
  return written ? ok({ email: found.email }) : fail("not_found");
}
