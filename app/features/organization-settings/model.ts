import type { Instant } from "~/lib/time";

export const ORGANIZATION_PATH = "/client/organization";
export const TWO_STEP_ID = "two-step";
export const WITHOUT_FACTOR_PATH = `${ORGANIZATION_PATH}#${TWO_STEP_ID}-title`;
export const HISTORY_PATH = `${ORGANIZATION_PATH}/history`;
export const TRANSFER_PATH = `${ORGANIZATION_PATH}/transfer`;
export const ARCHIVE_PATH = `${ORGANIZATION_PATH}/archive`;
export const LEAVE_PATH = `${ORGANIZATION_PATH}/leave`;

export const VISIBILITIES = ["all", "own"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export type OrganizationSettings = {
  name: string;
  description: string;
  visibility: Visibility;
  defaultRole: "admin" | "member";
  allowsCopies: boolean;
};

export type StoredOrganization = OrganizationSettings & {
  version: number;
  isNew: boolean;
  /** Null: each decides. */
  mfaRequiredAt: Instant | null;
};

export type WithoutFactor = { names: readonly string[]; count: number };

export type HistoryLine = { id: number; at: Instant; sentence: string; details: string };
