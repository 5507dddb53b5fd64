import { isStaffRole, type PlatformRole } from "~/features/access/model";
import { type Duration, days, type Instant } from "~/lib/time";

/** Days a client has to set up a second factor, from the demand of an organization or from joining it. */
export const FACTOR_GRACE: Duration = days(7);

/** What decides whether somebody must have a second factor. */
export type Obliged = {
  role: PlatformRole;
  /**
   * Since when an active organization of theirs demands one of them: the later of its demand and their joining, and of
   * several organizations the one that is first. Null: none does.
   */
  mfaDemandedAt: Instant | null;
};

/** From when on a person must have a second factor; null: it is up to them. Staff have no grace. */
export function factorDueAt({ role, mfaDemandedAt }: Obliged): Instant | null {
  if (isStaffRole(role)) return 0;
  return mfaDemandedAt === null ? null : mfaDemandedAt + FACTOR_GRACE;
}

/** Whether the person must have a second factor by now and has none: nothing but setting one up is open to them. */
export function lacksFactor(person: Obliged & { mfaEnabled: boolean }, now: Instant): boolean {
  const dueAt = factorDueAt(person);
  return !person.mfaEnabled && dueAt !== null && dueAt <= now;
}

/** Whether the person may switch their second factor off. Staff may: the office is then closed to them at once. */
export const mayDisableFactor = ({ role, mfaDemandedAt }: Obliged): boolean =>
  isStaffRole(role) || mfaDemandedAt === null;

/** What a page says about a factor that is missing: it is overdue, or so many days are left. */
export type FactorNotice = { isStaff: boolean; daysLeft: number };

/** Null: nothing needs saying. `daysLeft` counts begun days; 0: the time is over. */
export function factorNotice(person: Obliged & { mfaEnabled: boolean }, now: Instant): FactorNotice | null {
  const dueAt = factorDueAt(person);
  if (person.mfaEnabled || dueAt === null) return null;
  return { isStaff: isStaffRole(person.role), daysLeft: Math.max(0, Math.ceil((dueAt - now) / days(1))) };
}
