import type { PlatformRole } from "~/access/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { AccountStatus } from "./model";

export const ROLE_LABELS: Record<PlatformRole, string> = { admin: "Admin", moderator: "Moderator", user: "User" };

export const ROLE_OPTIONS = (["user", "moderator", "admin"] as const).map((value) => ({
  value,
  label: ROLE_LABELS[value],
}));

/** Says what each role may do. */
export const ROLE_DESCRIPTIONS: Record<PlatformRole, string> = {
  admin:
    "Full system access including user management, settings and all administrative functions. Can view, edit and delete all data.",
  moderator:
    "Can manage content and moderate user activity. Has access to most features, but cannot manage other users or system settings.",
  user: "Standard access. Can view and interact with content, with limited administrative capability.",
};

/** Names the states of an account that a list marks; one that is in use needs no mark. */
export const STATUS_TAGS: Record<AccountStatus, string | null> = {
  unverified: "Not confirmed",
  pending: "Pending",
  active: null,
  deactivated: "Deactivated",
};

export const STATUS_LABELS: Record<AccountStatus, string> = {
  unverified: "Not confirmed",
  pending: "Pending",
  active: "Active",
  deactivated: "Deactivated",
};

export const LIST_FAILED = "Failed to fetch users";
export const NONE_FOUND = "No users match.";
export const NONE_INVITED = "No invitations are waiting.";

export const ROLE_UPDATED = { title: "Success", message: "User role updated successfully" };
export const ROLE_NOT_UPDATED = "Failed to update user role";
export const LAST_ADMIN = "There must be at least one admin.";
const OWN_ROLE = "You can't change your own role.";

/** Tells that a person had the chosen role already. */
export const roleUnchanged = (role: PlatformRole) => ({
  title: "Nothing changed",
  message: `The role was ${ROLE_LABELS[role]} already.`,
});

/** Says why a role was not changed. */
export type RoleError = "user_not_found" | "own_role" | "last_admin" | "denied" | "changed_since";

/** Says why a role was not changed. */
export const roleError = (code: RoleError): string =>
  ({
    user_not_found: ROLE_NOT_UPDATED,
    own_role: OWN_ROLE,
    last_admin: LAST_ADMIN,
    denied: ROLE_NOT_UPDATED,
    changed_since: CHANGED_SINCE,
  })[code];
