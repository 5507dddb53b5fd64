import { isStaffRole, type PlatformRole } from "~/access/model";
import { type Duration, days, type Instant } from "~/lib/time";

/** Limits the time a client has to set up a second factor, once their organization requires it or they join it. */
const MFA_GRACE: Duration = days(7);

/** Holds what decides whether a person must have a second factor. */
export type MfaRequirementInput = {
  role: PlatformRole;
  /**
   * Tells when the requirement began: in an active organization, the later of its requirement and the person's joining; of
   * several organizations, the earliest. Null: no organization requires it.
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

/** Tells whether the person may switch their second factor off. Staff may, but lose access to the admin area. */
export const mayDisableMfa = ({ role, mfaRequiredSince }: MfaRequirementInput): boolean =>
  isStaffRole(role) || mfaRequiredSince === null;

/** Describes a missing factor: the days left to set it up. */
export type MfaRequirementNotice = { isStaff: boolean; daysLeft: number };

/** Returns the notice for a missing factor, or null when none is needed. `daysLeft` counts started days; 0: overdue. */
export function mfaRequirementNotice(
  person: MfaRequirementInput & { mfaEnabled: boolean },
  now: Instant,
): MfaRequirementNotice | null {
  const dueAt = mfaDeadline(person);
  if (person.mfaEnabled || dueAt === null) return null;
  return { isStaff: isStaffRole(person.role), daysLeft: Math.max(0, Math.ceil((dueAt - now) / days(1))) };
}
