import { brand } from "~/content/brand";

/** What an administrator may change about the site; every key has a default. */
export type SiteSettings = {
  /** Receives notices about new requests. */
  adminEmail: string;
  /** The first status of a new contact request. */
  autoAssignStatus: "new" | "contacted" | "resolved";
  /** IANA name; cuts time into days for everyone. */
  timeZone: string;
};

export const DEFAULT_SETTINGS: SiteSettings = {
  adminEmail: brand.email,
  autoAssignStatus: "new",
  timeZone: brand.timeZone,
};
