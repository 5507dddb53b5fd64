import type { PlatformRole } from "~/access/model";
import { MAIL_STATUS_LABELS, UNDELIVERED } from "~/features/mail/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { Instant } from "~/lib/time";
import type { ButtonVariant } from "~/ui/button";
import { formatInstant } from "~/ui/text";
import type { AccountStatus, PendingInvitation, PersonAction } from "./model";

export const ROLE_LABELS: Record<PlatformRole, string> = { admin: "Admin", moderator: "Moderator", user: "User" };

export const ROLE_OPTIONS = (["user", "moderator", "admin"] as const).map((value) => ({
  value,
  label: ROLE_LABELS[value],
}));

export const ROLE_DESCRIPTIONS: Record<PlatformRole, string> = {
  admin:
    "Full system access including user management, settings and all administrative functions. Can view, edit and delete all data.",
  moderator:
    "Can manage content and moderate user activity. Has access to most features, but cannot manage other users or system settings.",
  user: "Standard access. Can view and interact with content, with limited administrative capability.",
};

export const USER_STATUS_TAGS: Record<AccountStatus, string | null> = {
  unverified: "Not confirmed",
  pending: "Pending",
  active: null,
  deactivated: "Deactivated",
};

export const USER_STATUS_LABELS: Record<AccountStatus, string> = {
  unverified: "Not confirmed",
  pending: "Pending",
  active: "Active",
  deactivated: "Deactivated",
};

export const USER_LIST_FAILED = "Failed to fetch users";
export const NO_USERS_FOUND = "No users match.";
export const NONE_INVITED = "No invitations are waiting.";

export const ROLE_UPDATED = { title: "Success", message: "User role updated successfully" };
export const ROLE_NOT_UPDATED = "Failed to update user role";
const LAST_ADMIN = "There must be at least one admin.";
const OWN_ROLE = "You can't change your own role.";

export const roleUnchanged = (role: PlatformRole) => ({
  title: "Nothing changed",
  message: `The role was ${ROLE_LABELS[role]} already.`,
});

export type RoleError = "user_not_found" | "own_role" | "last_admin" | "denied" | "changed_since";

export const roleError = (code: RoleError): string =>
  ({
    user_not_found: ROLE_NOT_UPDATED,
    own_role: OWN_ROLE,
    last_admin: LAST_ADMIN,
    denied: ROLE_NOT_UPDATED,
    changed_since: CHANGED_SINCE,
  })[code];

export const EMAIL_TAKEN = "A user with this email already exists.";
export const INVITE_FAILED = "Failed to invite user. Please try again.";
export const CREATE_FAILED = "Failed to create user. Please try again.";
export const INVITED_TOO_OFTEN = "This address got too many invitations today. Try again tomorrow.";

export const userInvited = (email: string) => ({
  title: "User Invited Successfully",
  message: `${email} has been invited and will receive an email to set their password.`,
});

export const userCreated = (email: string) => ({
  title: "User Created Successfully",
  message: `${email} has been created. Make sure to share the login credentials securely.`,
});

export function invitationLabel(
  { expiresAt, mail }: PendingInvitation,
  { now, zone }: { now: Instant; zone: string },
): string {
  if (expiresAt <= now) return `Expired ${formatInstant(expiresAt, zone, "date")}`;
  const failed = UNDELIVERED.find((status) => status === mail);
  if (failed) return `Email ${MAIL_STATUS_LABELS[failed].toLowerCase()}`;
  if (mail === "delayed") return `Pending, email delayed, expires ${formatInstant(expiresAt, zone, "date")}`;
  return `Pending, expires ${formatInstant(expiresAt, zone, "date")}`;
}

export const INVITATION_GONE = "This invitation is not open any more.";

export const invitationError = (code: "not_found" | "limited" | "mail_not_failed"): string =>
  ({
    not_found: INVITATION_GONE,
    limited: "This address got too many invitations today. Try again tomorrow.",
    mail_not_failed: "The mail is on its way. A link can be copied only if the mail has failed.",
  })[code];

export const invitationResent = (email: string) => ({
  title: "Success",
  message: `A new invitation for ${email} is queued. The earlier link no longer works.`,
});

export const invitationRevoked = (email: string) => ({
  title: "Success",
  message: `The invitation of ${email} was revoked.`,
});

type ActionTexts = {
  link: string;
  title: (name: string) => string;
  text: string;
  button: string;
  pending: string;
  variant: ButtonVariant;
  done: { title: string; message: string };
};

export const ACTION_TEXTS: Record<PersonAction, ActionTexts> = {
  role: {
    link: "Change role",
    title: (name) => `Role of ${name}`,
    text: "With another role the person is signed out everywhere, and gets a mail about it.",
    button: "Save role",
    pending: "Saving…",
    variant: "primary",
    done: ROLE_UPDATED,
  },
  deactivate: {
    link: "Deactivate…",
    title: (name) => `Deactivate ${name}`,
    text: "The person is signed out everywhere and cannot sign in until the account is reactivated. Nothing is deleted.",
    button: "Deactivate",
    pending: "Deactivating…",
    variant: "danger",
    done: { title: "Success", message: "The account was deactivated." },
  },
  reactivate: {
    link: "Reactivate",
    title: (name) => `Reactivate ${name}`,
    text: "The person can sign in again, with the password, role and memberships of before.",
    button: "Reactivate",
    pending: "Reactivating…",
    variant: "primary",
    done: { title: "Success", message: "The account was reactivated." },
  },
  end_sessions: {
    link: "End sessions",
    title: (name) => `End the sessions of ${name}`,
    text: "The person is signed out in every browser at once, and can sign in again.",
    button: "End sessions",
    pending: "Ending…",
    variant: "danger",
    done: { title: "Success", message: "All sessions were ended." },
  },
  end_session: {
    link: "End session",
    title: (name) => `End one session of ${name}`,
    text: "The person is signed out in this browser at once, and stays signed in elsewhere.",
    button: "End session",
    pending: "Ending…",
    variant: "danger",
    done: { title: "Success", message: "The session was ended." },
  },
  reset_mfa: {
    link: "Reset MFA…",
    title: (name) => `Reset MFA of ${name}`,
    text: "Authenticator app and backup codes stop working, and the person is signed out everywhere. The next sign-in needs the password and a link that is mailed to the person now. All administrators get a mail about it.",
    button: "Reset MFA",
    pending: "Resetting…",
    variant: "danger",
    done: { title: "Success", message: "Two-step sign-in was reset. The link to set it up again is queued." },
  },
  setup_link: {
    link: "Send a new set-up link",
    title: (name) => `Set-up link for ${name}`,
    text: "The person gets a mail with a new link to set up two-step sign-in. A link that was sent before stops working.",
    button: "Send link",
    pending: "Sending…",
    variant: "primary",
    done: { title: "Success", message: "The link is queued." },
  },
  password_change: {
    link: "Require a new password",
    title: (name) => `New password for ${name}`,
    text: "The person is signed out everywhere. After the next sign-in they choose a new password before anything else.",
    button: "Require a new password",
    pending: "Saving…",
    variant: "danger",
    done: { title: "Success", message: "The person has to choose a new password." },
  },
  unlock: {
    link: "Unlock",
    title: (name) => `Unlock ${name}`,
    text: "Failed sign-ins are forgotten, so that the person can try again at once.",
    button: "Unlock",
    pending: "Unlocking…",
    variant: "primary",
    done: { title: "Success", message: "The account was unlocked." },
  },
};

export const ACCOUNT_CHANGED_MEANWHILE = "Nothing was changed: the account has changed meanwhile. Look at it again.";

export type AccessError = "user_not_found" | "own_account" | "last_admin" | "sole_owner" | "session_ended" | "denied";

const REJECTIONS: Record<AccessError, string> = {
  user_not_found: "This account does not exist any more.",
  own_account: "You can't do this to your own account.",
  last_admin: LAST_ADMIN,
  sole_owner: "The person is the only owner of an organization. Transfer its ownership first.",
  session_ended: "This session has ended already.",
  denied: ACCOUNT_CHANGED_MEANWHILE,
};

/** Says why somebody's access was not changed. `owned`: the organizations that would have no owner. */
export const accessError = (code: AccessError, owned: readonly string[]): string =>
  code === "sole_owner" && owned.length > 0
    ? `The person is the only owner of ${owned.join(", ")}. Transfer the ownership first.`
    : REJECTIONS[code];

export const MAIL_RELEASED = {
  title: "Mail is sent again",
  message: "What waited for this address leaves now.",
} as const;
