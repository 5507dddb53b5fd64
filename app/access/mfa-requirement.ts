import { type Duration, days, type Instant } from "~/lib/time";
import { isStaffRole, type PlatformRole } from "./model";

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
