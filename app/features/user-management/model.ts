import type { PlatformRole } from "~/access/model";
import type { ChallengeMethod } from "~/features/auth/model";
import type { InvitationState } from "~/features/invitations/model";
import { userPath } from "~/features/users/model";
import { withParams } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";

export type AccountStatus = "unverified" | "pending" | "active" | "deactivated";

export type PendingInvitation = Pick<InvitationState, "invitedBy" | "sentAt" | "expiresAt" | "mail">;

export type ListedUser = {
  id: string;
  name: string;
  email: string;
  phone: string;
  role: PlatformRole;
  status: AccountStatus;
  joinedAt: Instant;
  invitation: PendingInvitation | null;
};

export type UserCounts = Record<PlatformRole | "all", number>;

export const USER_VIEWS = ["invited"] as const;

/** Holds what the form shows after it was sent: what was typed, but never a password, except one that we made. */
export type NewUserAnswer = {
  error: Pick<ValidationError, "title" | "errors"> | null;
  values: FormValues;
  password: string | null;
  method: ChallengeMethod;
};

/** Lists what an administrator may do about an account; each has a form on its page, at `?do=`. */
export const PERSON_ACTIONS = [
  "role",
  "deactivate",
  "reactivate",
  "end_sessions",
  "end_session",
  "reset_mfa",
  "setup_link",
  "password_change",
  "unlock",
] as const;
export type PersonAction = (typeof PERSON_ACTIONS)[number];

export type PersonAccount = {
  id: string;
  name: string;
  email: string;
  phone: string;
  otherAddresses: string[];
  role: PlatformRole;
  status: AccountStatus;
  joinedAt: Instant;
  hasFactor: boolean;
  codesLeft: number;
  needsSetupLink: boolean;
  mustChangePassword: boolean;
  closureRequestedAt: Instant | null;
  passwordExpiresAt: Instant | null;
  failures: number;
  blockedUntil: Instant | null;
};

export const endSessionPath = (userId: string, session: number, from?: string): string =>
  withParams(userPath(userId), { do: "end_session", session: String(session), ...(from ? { from } : {}) });

export type PersonMembership = {
  organizationId: string;
  organization: string;
  role: "owner" | "admin" | "member";
  status: "active" | "pending" | "suspended";
  joinedAt: Instant | null;
};

/** Holds what a form of the page shows after it was sent. `link`: that of an invitation, which is shown once. */
export type PersonAnswer = ValidationError & { link?: string };

export function actionsFor(account: PersonAccount, ownId: string): PersonAction[] {
  if (account.id === ownId || account.status === "unverified") return [];
  if (account.status === "pending") return ["role"];
  if (account.status === "deactivated") return ["role", "reactivate"];
  return [
    "role",
    "end_sessions",
    "password_change",
    ...(account.hasFactor ? (["reset_mfa"] as const) : []),
    ...(account.needsSetupLink && !account.hasFactor ? (["setup_link"] as const) : []),
    ...(account.failures > 0 || account.blockedUntil !== null ? (["unlock"] as const) : []),
    "deactivate",
  ];
}
