/** The platform role of an account. A moderator is a technician; admins and moderators together are staff. */
export const PLATFORM_ROLES = ["admin", "moderator", "user"] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];
export type StaffRole = Exclude<PlatformRole, "user">;

export type OrganizationRole = "owner" | "admin" | "member";

/** The active membership of the current organization. One that is pending or suspended gives nothing and is null. */
export type Membership = { organizationId: string; role: OrganizationRole };

/** Whoever asks for something: what the policy needs to know about them. */
export type Actor = { userId: string; role: PlatformRole; membership: Membership | null };

/**
 * How far an ability goes: one's own things, the things of one's current organization, everything.
 * Ordered from narrow to wide.
 */
export const ABILITY_SCOPES = ["own", "organization", "any"] as const;
export type AbilityScope = (typeof ABILITY_SCOPES)[number];

/** Whose a thing is. What a thing does not say about itself is matched by no narrow reach. */
export type Owned = { ownerId?: string | null; organizationId?: string | null };

/** The column of the policy a platform or organization role stands for. */
export type PolicyRole = PlatformRole | "owner" | "org_admin" | "member";

/** A role from storage. A text nobody knows counts as the role with the fewest rights. */
export function platformRole(text: string | null): PlatformRole {
  return PLATFORM_ROLES.find((role) => role === text) ?? "user";
}

/** Tells whether somebody is staff and has proved their second factor in this session (assurance level 2). */
export const isVerifiedStaff = (person: { role: PlatformRole; aal: number; mfaEnabled: boolean }): boolean =>
  isStaffRole(person.role) && person.aal === 2 && person.mfaEnabled;

export const isStaffRole = (role: PlatformRole): role is StaffRole => role !== "user";
