import { type Duration, days, hours, minutes } from "~/lib/time";

type Limit = {
  /** Attempts admitted before the first block. */
  limit: number;
  /** After this long without an attempt the count starts again. */
  memory: Duration;
  /** `ladder`: 1, 2, 4, 8, then 15 minutes. Otherwise one fixed length. */
  block: Duration | "ladder";
};

/** Every limit of the product. The memory of a ladder must exceed its longest block, or the ladder never climbs. */
export const RATE_LIMITS = {
  login_account: { limit: 5, memory: hours(12), block: "ladder" },
  login_device: { limit: 10, memory: hours(12), block: "ladder" },
  login_ip: { limit: 30, memory: minutes(15), block: minutes(15) },
  mfa: { limit: 10, memory: hours(1), block: minutes(15) },
  reset_addr: { limit: 3, memory: hours(1), block: hours(1) },
  reset_ip: { limit: 10, memory: hours(1), block: hours(1) },
  signup_addr: { limit: 3, memory: hours(1), block: hours(1) },
  signup_ip: { limit: 10, memory: hours(1), block: hours(1) },
  /** Links that confirm an address, after a sign-up or for a change. */
  verify_addr: { limit: 3, memory: hours(1), block: hours(1) },
  setup_ip: { limit: 10, memory: hours(1), block: hours(1) },
  contact_addr: { limit: 5, memory: hours(1), block: hours(1) },
  contact_ip: { limit: 20, memory: hours(1), block: hours(1) },
  export_user: { limit: 10, memory: hours(1), block: hours(1) },
  csp_ip: { limit: 60, memory: hours(1), block: days(1) },
} as const satisfies Record<string, Limit>;

export type LimitType = keyof typeof RATE_LIMITS;
