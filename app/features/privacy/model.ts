import { PRIVACY_PATH, withParams } from "~/lib/addresses";
import type { CappedCount } from "~/lib/numbers";
import type { Instant } from "~/lib/time";

export const CONSENTS_PATH = `${PRIVACY_PATH}/consents`;

/** `personId`: an account, or of somebody without one a contact, submission, copy of a ticket or mail. */
export const personPath = (personId: string): string => `${PRIVACY_PATH}/${encodeURIComponent(personId)}`;

/** `after`: the archive that goes on after a place. */
export const personFilePath = (personId: string, after?: string): string =>
  `/admin/exports/person.zip?${new URLSearchParams({ person: personId, ...(after ? { after } : {}) })}`;

export const OWN_DATA_PATH = "/profile/data";

/** `after`: the archive that goes on after a place. */
export const ownFilePath = (after?: string): string =>
  `${OWN_DATA_PATH}.zip${after ? `?${new URLSearchParams({ after })}` : ""}`;

export const liftPath = (holdId: string): string => `${PRIVACY_PATH}?${new URLSearchParams({ lift: holdId })}`;

export const ERASE_WORD = "ERASE";

/** By their account, or by what they have sent, or get copies of. */
export type Person = {
  /** Of the account, of the contact, of the newest submission, or of the newest copy of a ticket. */
  id: string;
  userId: string | null;
  name: string;
  email: string;
};

export type PersonCounts = {
  submissions: number;
  files: number;
  memberships: number;
  sessions: number;
  tickets: number;
  messages: number;
  queuedMails: number;
  /** Those that have arrived from them, or were forwarded to us by staff. */
  mails: number;
  copies: number;
};

export type EraseError = "person_not_found" | "own_account" | "last_admin" | "sole_owner" | "on_hold" | "denied";

export type HeldSubject = "submission" | "ticket" | "organization" | "user";

export type Hold = {
  id: string;
  type: HeldSubject;
  subjectId: string;
  label: string;
  to: string;
  reason: string;
  placedBy: string;
  placedAt: Instant;
};

/** `retentionDays`: the setting that was in force. */
export type RetentionRun = {
  startedAt: Instant;
  retentionDays: number;
  submissions: number;
  files: number;
  notes: number;
  onHold: number;
};

export type Consent = {
  id: string;
  number: string;
  name: string;
  email: string;
  version: string;
  at: Instant;
  form: string;
};

export const PURGE_PATH = `${PRIVACY_PATH}/purge`;

export const purgePreviewPath = (days: number): string => withParams(PURGE_PATH, { days: String(days) });

export const PURGE_WORD = "PURGE";

/** With 0 everything goes that is resolved or held for review. */
export const PURGE_DAYS = { min: 0, max: 3_650 };

/** One more than was counted where there are more. */
export const numberShown = ({ count, isMore }: CappedCount): number => (isMore ? count + 1 : count);

export type PurgePreview = CappedCount & {
  days: number;
  onHold: number;
  files: number;
  notes: number;
};

/** `finishedAt` null: it goes on. */
export type Purge = {
  id: string;
  requestedAt: Instant;
  quietSince: Instant;
  submissions: number;
  files: number;
  notes: number;
  onHold: number;
  finishedAt: Instant | null;
};

export const EVERYTHING_PATH = `${PRIVACY_PATH}/everything`;

/** Where a restored backup finds who must not come back with it: beside the database, and without an address. */
export const ERASED_PREFIX = "erased/";

/** `email`: its keyed hash. */
export type Erased = { at: Instant; person: string; email: string };
