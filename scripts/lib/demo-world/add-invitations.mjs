import { organizationSubject } from "~/features/organizations/model";
import { nameColumns, userSubject } from "~/features/users/model";
import { days } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { invited } from "./accounts.mjs";

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
  world.audit(at, actorOf(inviter), "user.invited", userSubject({ userId: id, fullName: name }), { role });
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
  world.audit(at, actorOf(inviter), "organization.member_invited", organizationSubject(organization), {
    address: email,
    role,
  });
  return { membership_id: id };
}

const actorOf = ({ id, role, name, email }) => ({ id, role, name, email });
