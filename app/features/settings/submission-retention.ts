import { days, type Instant } from "~/lib/time";

/**
 * Says after how many days without activity submissions are deleted that are resolved or held for review; `never`: they
 * are kept.
 */
export type RetentionRule = { days: number; never: boolean };

/**
 * Holds the rule as it was saved last. Where it deletes more than the one before it, it counts a day after it was
 * saved; until then the one before it does. Null: it counts from the start.
 */
export type StoredRetention = RetentionRule & { savedAt: Instant | null; before: RetentionRule };

/** Names the setting, whose stored value is a `StoredRetention`. */
export const RETENTION_KEY = "retention";

/** Limits the days. */
export const RETENTION_DAYS = { min: 30, max: 3_650 } as const;

const DEFAULT_RULE: RetentionRule = { days: 365, never: false };

export const DEFAULT_RETENTION: StoredRetention = { ...DEFAULT_RULE, savedAt: null, before: DEFAULT_RULE };

/** Sets how long somebody has to notice a change before anything is deleted by it. */
const TIME_TO_NOTICE = days(1);

/** Returns when a saved rule has begun to count, whatever it deletes. */
export const countsFrom = ({ savedAt }: StoredRetention): Instant => (savedAt === null ? 0 : savedAt + TIME_TO_NOTICE);

/** Returns the rule that counts now. What keeps more than before counts at once: nobody waits a day for protection. */
export function ruleInForce(stored: StoredRetention, now: Instant): RetentionRule {
  const { days, never, before } = stored;
  if (now >= countsFrom(stored)) return { days, never };
  return { days: Math.max(days, before.days), never: never || before.never };
}

/** Tells whether two rules delete the same. */
export const isSameRule = (one: RetentionRule, other: RetentionRule): boolean =>
  one.never === other.never && (one.never || one.days === other.days);

/** Returns what is stored when a rule is saved: one that never counted is forgotten. */
export const savedRetention = (stored: StoredRetention, rule: RetentionRule, now: Instant): StoredRetention => ({
  ...rule,
  savedAt: now,
  before: ruleInForce(stored, now),
});
