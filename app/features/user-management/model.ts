import type { PlatformRole } from "~/access/model";
import type { MailStatus } from "~/features/mail/model";
import type { Instant } from "~/lib/time";

export type AccountStatus = "unverified" | "pending" | "active" | "deactivated";

/** Describes an invitation that nobody has accepted yet. */
export type PendingInvitation = {
  invitedBy: string;
  sentAt: Instant;
  expiresAt: Instant;
  /** Holds the state of its mail; null once the mail is no longer stored. */
  mail: MailStatus | null;
};

/** Describes a row of the list. */
export type ListedUser = {
  id: string;
  name: string;
  email: string;
  role: PlatformRole;
  status: AccountStatus;
  joinedAt: Instant;
  invitation: PendingInvitation | null;
};

/** Counts the accounts by role. */
export type UserCounts = Record<PlatformRole | "all", number>;

/** Lists the parts of the list that have an address of their own. */
export const USER_VIEWS = ["invited"] as const;
