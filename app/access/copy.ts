import type { PlatformRole } from "./model";

export const ROLE_LABELS: Record<PlatformRole, string> = { admin: "Admin", moderator: "Moderator", user: "User" };

/** Describes each role to the people who assign it. */
export const ROLE_DESCRIPTIONS: Record<PlatformRole, string> = {
  admin:
    "Full system access including user management, settings and all administrative functions. Can view, edit and delete all data.",
  moderator:
    "Can manage content and moderate user activity. Has access to most features, but cannot manage other users or system settings.",
  user: "Standard access. Can view and interact with content, with limited administrative capability.",
};
