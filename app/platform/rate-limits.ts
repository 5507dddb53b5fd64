import { type Duration, days, hours, minutes } from "~/lib/time";

const MIB = 1024 * 1024;

type Limit = {
  /** Counts the attempts before the first block. */
  limit: number;
  /** Holds the time without an attempt after which the count starts again. */
  resetAfter: Duration;
  /** Holds the duration of a block. `escalating`: 1, 2, 4, 8, then 15 minutes. */
  block: Duration | "escalating";
};

/** Lists all rate limits. With `escalating`, `resetAfter` must be longer than the longest block. */
export const RATE_LIMITS = {
  login_account: { limit: 5, resetAfter: hours(12), block: "escalating" },
  login_device: { limit: 10, resetAfter: hours(12), block: "escalating" },
  login_ip: { limit: 30, resetAfter: minutes(15), block: minutes(15) },
  mfa: { limit: 10, resetAfter: hours(1), block: minutes(15) },
  reset_addr: { limit: 3, resetAfter: hours(1), block: hours(1) },
  reset_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  signup_addr: { limit: 3, resetAfter: hours(1), block: hours(1) },
  signup_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  /** Limits the mails with a link that confirms an address, after a sign-up or for a change of address. */
  verify_addr: { limit: 3, resetAfter: hours(1), block: hours(1) },
  /** Counts requests for a change of address; each sends a mail to the new address and one to the old. */
  email_change_user: { limit: 3, resetAfter: hours(1), block: hours(1) },
  email_change_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  /** Limits the organizations that one person creates. */
  organization_user: { limit: 5, resetAfter: days(1), block: days(1) },
  /** Count invitations per organization and day; before it is reviewed fewer, and per person: see `takeInvitation`. */
  invite_org: { limit: 20, resetAfter: days(1), block: days(1) },
  invite_new_org: { limit: 5, resetAfter: days(1), block: days(1) },
  /**
   * Count invitations to one mailbox per day: of one sender, of all organizations that nobody has reviewed yet, and of
   * everybody. The first two leave something of the last to the others.
   */
  invite_addr: { limit: 3, resetAfter: days(1), block: days(1) },
  invite_addr_new: { limit: 5, resetAfter: days(1), block: days(1) },
  invite_addr_all: { limit: 10, resetAfter: days(1), block: days(1) },
  /** Counts links that do not work, whether guessed or over. */
  link_ip: { limit: 20, resetAfter: hours(1), block: minutes(15) },
  link_user: { limit: 10, resetAfter: hours(1), block: minutes(15) },
  /** Limits the addresses that begin to get copies of tickets: of one mailbox, whoever adds it, and by one person. */
  copy_addr: { limit: 5, resetAfter: hours(1), block: hours(1) },
  copy_user: { limit: 30, resetAfter: days(1), block: days(1) },
  /** Counts the addresses that clients of an organization add to get copies, per day. */
  copy_org: { limit: 30, resetAfter: days(1), block: days(1) },
  /** Counts answers to "Is it solved?" by the link of a mail. */
  solved_user: { limit: 10, resetAfter: hours(1), block: hours(1) },
  /** Counts requests to close one's account, each of which is mailed to all administrators. */
  closure_user: { limit: 3, resetAfter: days(1), block: days(1) },
  /** Limits downloads, each of which hashes up to ten codes. */
  codes_user: { limit: 10, resetAfter: hours(1), block: minutes(15) },
  setup_ip: { limit: 10, resetAfter: hours(1), block: hours(1) },
  contact_addr: { limit: 5, resetAfter: hours(1), block: hours(1) },
  contact_ip: { limit: 20, resetAfter: hours(1), block: hours(1) },
  /**
   * Count new tickets, per hour: of one client, of all clients of an organization, and of one of the staff. Of an
   * organization that nobody has reviewed yet, per day. See `takeTicketLimit`.
   */
  ticket_user: { limit: 30, resetAfter: hours(1), block: hours(1) },
  ticket_org: { limit: 100, resetAfter: hours(1), block: hours(1) },
  ticket_new_org: { limit: 10, resetAfter: days(1), block: days(1) },
  ticket_staff: { limit: 300, resetAfter: hours(1), block: hours(1) },
  /** Count replies and other changes of tickets in the same way. */
  change_user: { limit: 60, resetAfter: hours(1), block: hours(1) },
  change_org: { limit: 300, resetAfter: hours(1), block: hours(1) },
  change_new_org: { limit: 40, resetAfter: days(1), block: days(1) },
  change_staff: { limit: 1_000, resetAfter: hours(1), block: hours(1) },
  /** Limits posted forms with files. */
  files_user: { limit: 60, resetAfter: hours(1), block: minutes(15) },
  /** Limit the bytes of files that a person sends in a day; the second before their organization is reviewed. */
  file_bytes_user: { limit: 500 * MIB, resetAfter: days(1), block: days(1) },
  file_bytes_new_user: { limit: 50 * MIB, resetAfter: days(1), block: days(1) },
  /** Counts searches per person and minute: see `countSearch`. */
  search_user: { limit: 120, resetAfter: minutes(1), block: minutes(1) },
  export_user: { limit: 10, resetAfter: hours(1), block: hours(1) },
  /** Limits the second and further archives of everything: what is stored may need many. */
  export_more_user: { limit: 120, resetAfter: hours(1), block: hours(1) },
  csp_ip: { limit: 60, resetAfter: hours(1), block: days(1) },
} as const satisfies Record<string, Limit>;

export type LimitType = keyof typeof RATE_LIMITS;
