import { type MfaRequirementInput, mfaDeadline } from "~/access/mfa-requirement";
import { isStaffRole } from "~/access/model";
import { days, type Instant } from "~/lib/time";

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
