import type { Instant } from "~/lib/time";

export const ORGANIZATION_PATH = "/client/organization";
/** Names the panel about two-step sign-in, which lists who lacks it. */
export const TWO_STEP_ID = "two-step";
export const WITHOUT_FACTOR_PATH = `${ORGANIZATION_PATH}#${TWO_STEP_ID}-title`;
export const HISTORY_PATH = `${ORGANIZATION_PATH}/history`;
export const TRANSFER_PATH = `${ORGANIZATION_PATH}/transfer`;
export const LEAVE_PATH = `${ORGANIZATION_PATH}/leave`;

export const NAME_MAX = 200;
export const DESCRIPTION_MAX = 2_000;

/** Lists which tickets members see: all of the organization, or those they have opened themselves. */
export const VISIBILITIES = ["all", "own"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Holds what the admins of an organization may change of it. */
export type OrganizationSettings = {
  name: string;
  description: string;
  visibility: Visibility;
  defaultRole: "admin" | "member";
  /** Tells whether addresses without an account may get copies of tickets. */
  allowsCopies: boolean;
};

export type StoredSettings = OrganizationSettings & {
  version: number;
  /** Tells whether a client created it, and staff have not reviewed it yet. */
  isNew: boolean;
  /** Holds the time from which members need a second factor, after the grace period. Null: each decides. */
  mfaRequiredAt: Instant | null;
};

/** Lists the active members without a second factor, as far as they are shown. */
export type WithoutFactor = { names: readonly string[]; count: number };

/** Describes one line of the organization's own history. */
export type HistoryLine = { id: number; at: Instant; sentence: string; details: string };
