import { type Duration, days, type Instant } from "~/lib/time";

/** Lists the platform roles of an account. A moderator is a technician; admins and moderators together are staff. */
export const PLATFORM_ROLES = ["admin", "moderator", "user"] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];
export type StaffRole = Exclude<PlatformRole, "user">;

export type OrganizationRole = "owner" | "admin" | "member";

/** Holds the active membership in the current organization. A pending or suspended one grants nothing and is null. */
type Membership = {
  organizationId: string;
  role: OrganizationRole;
  /** Tells whether members see the tickets of their colleagues. Absent: they do not. */
  visibility?: "all" | "own";
};

export type Actor = { userId: string; role: PlatformRole; membership: Membership | null };

/** Lists the scopes of an ability, from narrow to wide: own objects, those of the current organization, all. */
export const ABILITY_SCOPES = ["own", "organization", "any"] as const;
export type AbilityScope = (typeof ABILITY_SCOPES)[number];

/** Names the owner of an object. A missing owner or organization matches no scope but `any`. */
export type Owned = { ownerId?: string | null; organizationId?: string | null };

export type PolicyRole = PlatformRole | "owner" | "org_admin" | "member";

/** Reads a stored role. An unknown text counts as the role with the fewest rights. */
export function platformRole(text: string | null): PlatformRole {
  return PLATFORM_ROLES.find((role) => role === text) ?? "user";
}

/** Tells whether a person is staff and has used their second factor in this session (assurance level 2). */
export const isVerifiedStaff = (person: { role: PlatformRole; aal: number; mfaEnabled: boolean }): boolean =>
  isStaffRole(person.role) && person.aal === 2 && person.mfaEnabled;

export const isStaffRole = (role: PlatformRole): role is StaffRole => role !== "user";

/** Limits the time a client has to set up a second factor, once their organization requires it or they join it. */
export const MFA_GRACE: Duration = days(7);

export type MfaRequirementInput = {
  role: PlatformRole;
  /**
   * Tells when the requirement began: in an active organization, the later of its requirement and the person's joining;
   * of several organizations, the earliest. Null: no organization requires it.
   */
  mfaRequiredSince: Instant | null;
};

/** Returns when a person must have a second factor, or null when it is optional. Staff have no grace period. */
export function mfaDeadline({ role, mfaRequiredSince }: MfaRequirementInput): Instant | null {
  if (isStaffRole(role)) return 0;
  return mfaRequiredSince === null ? null : mfaRequiredSince + MFA_GRACE;
}

/** Tells whether the person must have a second factor by now and has none; they may then only set one up. */
export function lacksRequiredMfa(person: MfaRequirementInput & { mfaEnabled: boolean }, now: Instant): boolean {
  const dueAt = mfaDeadline(person);
  return !person.mfaEnabled && dueAt !== null && dueAt <= now;
}
