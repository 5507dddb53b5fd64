import { PRIVACY_PATH } from "~/lib/addresses";
import type { Instant } from "~/lib/time";

export const CONSENTS_PATH = `${PRIVACY_PATH}/consents`;

/**
 * Returns the page about a person. `personId`: an account, or a submission or copy of a ticket of somebody without one.
 */
export const personPath = (personId: string): string => `${PRIVACY_PATH}/${encodeURIComponent(personId)}`;

/**
 * Returns the address of the archive with everything about a person; `after`: of the one that goes on after a place.
 */
export const personFilePath = (personId: string, after?: string): string =>
  `/admin/exports/person.zip?${new URLSearchParams({ person: personId, ...(after ? { after } : {}) })}`;

/** Names the page on which a person gets what is stored about them, and asks for their account to be closed. */
export const OWN_DATA_PATH = "/profile/data";

/** Returns the address of the archive of one's own data; `after`: of the one that goes on after a place. */
export const ownFilePath = (after?: string): string =>
  `${OWN_DATA_PATH}.zip${after ? `?${new URLSearchParams({ after })}` : ""}`;

/** Returns the page on which a hold is lifted. */
export const liftPath = (holdId: string): string => `${PRIVACY_PATH}?${new URLSearchParams({ lift: holdId })}`;

/** Holds the word that has to be typed before a person is erased. */
export const ERASE_WORD = "ERASE";

/** Describes a person as found: by their account, or by what they have sent, or get copies of. */
export type Person = {
  /** Holds the id of the account, of the newest submission, or of the newest copy of a ticket. */
  id: string;
  userId: string | null;
  name: string;
  email: string;
};

/** Counts what is stored about a person. */
export type PersonCounts = {
  submissions: number;
  files: number;
  memberships: number;
  sessions: number;
  tickets: number;
  messages: number;
  queuedMails: number;
  /** Counts the tickets of which their address gets copies, or asked for no more. */
  copies: number;
};

/** Says why a person cannot be erased. */
export type EraseError = "person_not_found" | "own_account" | "last_admin" | "sole_owner" | "on_hold" | "denied";

export type HeldSubject = "submission" | "ticket" | "organization" | "user";

/** Describes a legal hold. */
export type Hold = {
  id: string;
  type: HeldSubject;
  subjectId: string;
  /** Names what is held. */
  label: string;
  to: string;
  reason: string;
  placedBy: string;
  placedAt: Instant;
};

/** Describes a nightly run. `retentionDays`: the setting that was in force. */
export type RetentionRun = {
  startedAt: Instant;
  retentionDays: number;
  submissions: number;
  files: number;
  notes: number;
  onHold: number;
};

/** Describes a consent, as it was given with a form. */
export type Consent = {
  id: string;
  number: string;
  name: string;
  email: string;
  version: string;
  at: Instant;
  form: string;
};
