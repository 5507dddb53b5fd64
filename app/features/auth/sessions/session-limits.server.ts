import { type SQL, sql } from "drizzle-orm";
import { isStaffRole, type PlatformRole } from "~/access/model";
import type { SessionLimits } from "~/features/settings/model";
import { days, hours, minutes } from "~/lib/time";
import { lifetimesOf } from "../model";

/** Returns, in milliseconds, what the settings say of a limit if that is shorter than the longest one. */
const limitOf = (key: keyof SessionLimits, unit: number, longest: number): SQL =>
  sql`min(${longest}, coalesce((SELECT (value_json ->> ${`$.${key}`}) * ${unit} FROM settings
    WHERE key = 'sessionLimits'), ${longest}))`;

/**
 * Returns how long a session may last without a request, and in total, as expressions that are read in the batch
 * itself.
 */
export function sessionLimits(role: PlatformRole): { idle: SQL; absolute: SQL } {
  const { idle, absolute } = lifetimesOf(role);
  return isStaffRole(role)
    ? { idle: limitOf("staffIdleMinutes", minutes(1), idle), absolute: limitOf("staffHours", hours(1), absolute) }
    : { idle: limitOf("clientIdleHours", hours(1), idle), absolute: limitOf("clientDays", days(1), absolute) };
}
