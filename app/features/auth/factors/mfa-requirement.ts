import { isStaffRole, type PlatformRole } from "~/access/model";
import { type Duration, days, type Instant } from "~/lib/time";

/** Days a client has to set up a second factor, from the demand of an organization or from joining it. */
export const MFA_GRACE: Duration = days(7);

/** What decides whether somebody must have a second factor. */
export type MfaSubject = {
  role: PlatformRole;
  /**
   * Since when an active organization of theirs demands one of them: the later of its demand and their joining, and of
   * several organizations the one that is first. Null: none does.
   */
  mfaRequiredSince: Instant | null;
};

/** From when on a person must have a second factor; null: it is up to them. Staff have no grace. */
export function mfaRequiredFrom({ role, mfaRequiredSince }: MfaSubject): Instant | null {
  if (isStaffRole(role)) return 0;
  return mfaRequiredSince === null ? null : mfaRequiredSince + MFA_GRACE;
}

/** Whether the person must have a second factor by now and has none: nothing but setting one up is open to them. */
export function lacksRequiredMfa(person: MfaSubject & { mfaEnabled: boolean }, now: Instant): boolean {
  const dueAt = mfaRequiredFrom(person);
  return !person.mfaEnabled && dueAt !== null && dueAt <= now;
}

/** Whether the person may switch their second factor off. Staff may: the office is then closed to them at once. */
export const mayDisableMfa = ({ role, mfaRequiredSince }: MfaSubject): boolean =>
  isStaffRole(role) || mfaRequiredSince === null;

/** What a page says about a factor that is missing: it is overdue, or so many days are left. */
export type MfaRequirementNotice = { isStaff: boolean; daysLeft: number };

/** Null: nothing needs saying. `daysLeft` counts begun days; 0: the time is over. */
export function mfaRequirementNotice(
  person: MfaSubject & { mfaEnabled: boolean },
  now: Instant,
): MfaRequirementNotice | null {
  const dueAt = mfaRequiredFrom(person);
  if (person.mfaEnabled || dueAt === null) return null;
  return { isStaff: isStaffRole(person.role), daysLeft: Math.max(0, Math.ceil((dueAt - now) / days(1))) };
}
