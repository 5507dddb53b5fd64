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
  // One hash for all, as all have one password: each takes a fifth of a second.
  const password_hash = hashPassword(world.secrets.PASSWORD_PEPPER_1, PASSWORD);
  accounts.forEach(({ email, name, role, status = "active", totp, quietHours }, index) => {
    // The clean-up deletes an address that nobody confirms within a day.
    const joined =
      status === "unverified"
        ? world.now - hours(3)
        : world.now - days(200 - index * 9) - minutes(world.random.between(0, 600));
    const record = world.record("usr", joined);
    const user_id = record.id;
    people.set(email, { id: user_id, name, email, role });
    world.insert("users", { ...record, email, ...nameColumns(name), password_hash, status });
    world.insert("user_roles", { user_id, role });
    if (quietHours) {
      const [from_clock, until_clock] = quietHours;
      world.insert("quiet_hours", { user_id, from_clock, until_clock });
    }
    if (totp) addSecondFactor(world, user_id, totp, joined);
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
  const record = world.record("org", at);
  const organization_id = record.id;
  const { name, slug, plan, description, domains, contacts = [], notes = [], invitedOwner } = organization;
  const { isToReview = false, allowsCopies = false } = organization;
  world.insert("organizations", {
    ...record,
    ...organizationTexts({ name, description }),
    slug,
    plan,
    contract_started_at: plan === "none" ? null : at,
    needs_review_at: isToReview ? at : null,
    allows_copies: allowsCopies ? 1 : 0,
  });
  const creator = people.get("admin@wrenfield.example");
  const subject = organizationSubject({ id: organization_id, name });
  if (!isToReview) world.audit(at, creator, "organization.created", subject, {}, organization_id);
  for (const domain of domains) world.insert("organization_domains", { domain, organization_id, created_at: at });
  for (const { email, name: fullName, phone } of contacts) {
    const id = world.newId("con", at);
    const person = { id, organization_id, email, ...nameColumns(fullName), phone };
    world.insert("contacts", { ...person, created_at: at });
  }
  for (const [email, role, status] of organization.members) {
    const joined_at = at + hours(world.random.between(1, 72));
    const membership = { organization_id, user_id: people.get(email).id, role, status, joined_at };
    world.insert("organization_memberships", { ...world.record("mem", joined_at), ...membership });
  }
  if (invitedOwner)
    invite(world, people, { email: invitedOwner, role: "owner", organization: slug, by: creator.email });
  notes.forEach((note, index) => {
    const { id: admin_user_id, name: author_name } = people.get("tech@wrenfield.example");
    const about = { subject_type: "organization", subject_id: organization_id };
    const written = world.record("note", world.now - days(20 - index * 9));
    world.insert("admin_notes", { ...written, ...about, admin_user_id, author_name, note });
  });
}

/** Writes the invitations that wait for an answer. */
export function addInvitations(world, people) {
  for (const invitation of invited) invite(world, people, invitation);
}

/** Writes an invitation, to an organization or to an account. Its mail was sent; "Resend" makes a link that opens. */
function invite(world, people, { email, name, role, organization: slug, by }) {
  const at = world.now - days(2);
  const inviter = people.get(by);
  const target = {};
  if (slug) {
    const organization = world.database.prepare("select id, name from organizations where slug = ?").get(slug);
    const record = world.record("mem", at);
    const invitation = { invited_email: email, invited_by: inviter.id, invited_at: at };
    const membership = { organization_id: organization.id, role, status: "pending" };
    world.insert("organization_memberships", { ...record, ...membership, ...invitation });
    const subject = organizationSubject(organization);
    world.audit(at, inviter, "organization.member_invited", subject, { address: email, role }, organization.id);
    target.membership_id = record.id;
  } else {
    const record = world.record("usr", at);
    world.insert("users", { ...record, email, ...nameColumns(name), status: "pending" });
    world.insert("user_roles", { user_id: record.id, role });
    world.audit(at, inviter, "user.invited", userSubject({ userId: record.id, fullName: name }), { role });
    target.user_id = record.id;
  }
  const mailId = world.newId("mail", at);
  world.insert("outbox", {
    id: mailId,
    kind: slug ? "organization-invitation" : "account-invitation",
    to_hash: hashToken(email),
    ...{ priority: 0, status: "sent", attempts: 1, next_at: at, created_at: at, sent_at: at },
  });
  world.insert("invitations", {
    id_hash: hashToken(mailId),
    ...target,
    email,
    invited_by: inviter.id,
    inviter_name: inviter.name,
    mail_id: mailId,
    created_at: at,
    expires_at: at + INVITATION_LIFETIME,
  });
}
