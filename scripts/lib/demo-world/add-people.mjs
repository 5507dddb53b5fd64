import { stepAt } from "~/features/auth/factors.server";
import { totpSecretContext } from "~/features/auth/model";
import { INVITATION_LIFETIME } from "~/features/invitations/model";
import { organizationSubject, organizationTexts } from "~/features/organizations/model";
import { nameColumns, userSubject } from "~/features/users/model";
import { days, hours, minutes } from "~/lib/time";
import { encrypt, hashPassword, hashToken } from "~/platform/crypto.server";
import { accounts, invited, organizations, PASSWORD } from "./people.mjs";

/** Writes accounts, organizations and memberships. Returns the people by e-mail address: `{id, name, email, role}`. */
export function addPeople(world) {
  const people = new Map();
  accounts.forEach((account, index) => {
    // The clean-up deletes an address that nobody confirms within a day.
    const joined =
      account.status === "unverified"
        ? world.now - hours(3)
        : world.now - days(200 - index * 9) - minutes(world.random.between(0, 600));
    const id = world.newId("usr", joined);
    people.set(account.email, { id, name: account.name, email: account.email, role: account.role });
    world.insert("users", {
      id,
      created_at: joined,
      updated_at: joined,
      email: account.email,
      ...nameColumns(account.name),
      password_hash: hashPassword(world.secrets.PASSWORD_PEPPER_1, PASSWORD),
      status: account.status ?? "active",
    });
    world.insert("user_roles", { user_id: id, role: account.role });
    if (account.quietHours) {
      const [from, until] = account.quietHours;
      world.insert("quiet_hours", { user_id: id, from_clock: from, until_clock: until });
    }
    if (account.totp) addSecondFactor(world, id, account.totp, joined);
  });
  organizations.forEach((organization, index) => {
    addOrganization(world, people, organization, world.now - days(150 - index * 30));
  });
  return people;
}

function addSecondFactor(world, userId, secret, joined) {
  world.secondFactor(joined + minutes(4), userId, "setup");
  let lastUsedAt = joined;
  for (let daysAgo = 6; daysAgo > 0; daysAgo -= 1) {
    const at = world.now - days(daysAgo) + minutes(world.random.between(0, 240));
    // Now and then a code is mistyped before the right one.
    if (world.random.next() < 0.25) world.secondFactor(at - minutes(1), userId, "verify_challenge", "wrong_code");
    world.secondFactor(at, userId, "verify_challenge");
    lastUsedAt = at;
  }
  world.insert("user_mfa_settings", {
    user_id: userId,
    is_enabled: 1,
    totp_secret: encrypt(world.secrets.DATA_KEK_1, totpSecretContext(userId), secret),
    last_totp_step: stepAt(lastUsedAt),
    updated_at: joined,
  });
}

function addOrganization(world, people, organization, at) {
  const id = world.newId("org", at);
  const {
    name,
    slug,
    plan,
    description,
    domains,
    notes = [],
    invitedOwner,
    isToReview = false,
    allowsCopies = false,
  } = organization;
  const record = { created_at: at, updated_at: at };
  const creator = people.get("admin@wrenfield.example");
  world.insert("organizations", {
    id,
    ...record,
    ...organizationTexts({ name, description }),
    slug,
    plan,
    contract_started_at: plan === "none" ? null : at,
    needs_review_at: isToReview ? at : null,
    allows_copies: allowsCopies ? 1 : 0,
  });
  const subject = { type: "organization", id, label: name };
  if (!isToReview) world.audit(at, toAuditActor(creator), "organization.created", subject, {}, id);
  for (const domain of domains) world.insert("organization_domains", { domain, organization_id: id, created_at: at });
  for (const contact of organization.contacts ?? []) {
    world.insert("contacts", {
      id: world.newId("con", at),
      organization_id: id,
      email: contact.email,
      full_name: contact.name,
      phone: contact.phone,
      created_at: at,
    });
  }
  for (const [email, role, status] of organization.members) {
    const joined = at + hours(world.random.between(1, 72));
    world.insert("organization_memberships", {
      id: world.newId("mem", joined),
      created_at: joined,
      updated_at: joined,
      organization_id: id,
      user_id: people.get(email).id,
      role,
      status,
      joined_at: joined,
    });
  }
  if (invitedOwner) addInvitedOwner(world, creator, { id, subject, email: invitedOwner, at: world.now - days(2) });
  notes.forEach((note, index) => {
    const author = people.get("tech@wrenfield.example");
    const written = world.now - days(20 - index * 9);
    world.insert("admin_notes", {
      id: world.newId("note", written),
      created_at: written,
      updated_at: written,
      subject_type: "organization",
      subject_id: id,
      admin_user_id: author.id,
      author_name: author.name,
      note,
    });
  });
}

/** Writes the membership of somebody who was invited to own an organization, with the link of the invitation. */
function addInvitedOwner(world, inviter, { id, subject, email, at }) {
  const membershipId = world.newId("mem", at);
  world.insert("organization_memberships", {
    id: membershipId,
    created_at: at,
    updated_at: at,
    organization_id: id,
    role: "owner",
    status: "pending",
    invited_email: email,
    invited_by: inviter.id,
    invited_at: at,
  });
  world.insert("invitations", {
    id_hash: world.newId("inv", at),
    membership_id: membershipId,
    email,
    invited_by: inviter.id,
    inviter_name: inviter.name,
    created_at: at,
    expires_at: at + INVITATION_LIFETIME,
  });
  const meta = { address: email, role: "owner" };
  world.audit(at, toAuditActor(inviter), "organization.member_invited", subject, meta, id);
}

const toAuditActor = ({ id, role, name, email }) => ({ id, role, name, email });

/** Writes the invitations that wait for an answer. Their mails were sent; "Resend" makes a link that can be opened. */
export function addInvitations(world, people) {
  for (const invitation of invited) {
    const at = world.now - days(2);
    const inviter = people.get(invitation.by);
    const target = invitation.organization
      ? addMembership(world, invitation, { inviter, at })
      : addAccount(world, invitation, { inviter, at });
    const mailId = world.newId("mail", at);
    world.insert("outbox", {
      id: mailId,
      kind: invitation.organization ? "organization-invitation" : "account-invitation",
      to_hash: hashToken(invitation.email),
      priority: 0,
      status: "sent",
      attempts: 1,
      next_at: at,
      created_at: at,
      sent_at: at,
    });
    world.insert("invitations", {
      id_hash: hashToken(mailId),
      ...target,
      email: invitation.email,
      invited_by: inviter.id,
      inviter_name: inviter.name,
      mail_id: mailId,
      created_at: at,
      expires_at: at + days(7),
    });
  }
}

function addAccount(world, { email, name, role }, { inviter, at }) {
  const id = world.newId("usr", at);
  const record = { id, created_at: at, updated_at: at, email, ...nameColumns(name), status: "pending" };
  world.insert("users", record);
  world.insert("user_roles", { user_id: id, role });
  world.audit(at, toAuditActor(inviter), "user.invited", userSubject({ userId: id, fullName: name }), { role });
  return { user_id: id };
}

function addMembership(world, { email, organization: slug }, { inviter, at }) {
  const organization = world.database.prepare("select id, name from organizations where slug = ?").get(slug);
  const id = world.newId("mem", at);
  const role = "member";
  world.insert("organization_memberships", {
    ...{ id, created_at: at, updated_at: at, organization_id: organization.id, role, status: "pending" },
    ...{ invited_email: email, invited_by: inviter.id, invited_at: at },
  });
  world.audit(at, toAuditActor(inviter), "organization.member_invited", organizationSubject(organization), {
    address: email,
    role,
  });
  return { membership_id: id };
}
