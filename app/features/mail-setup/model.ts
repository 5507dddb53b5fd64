import { MAIL_SETUP_PATH } from "~/features/settings/paths";
import { withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { type Instant, minutes } from "~/lib/time";

/** `off`: not looked up; `unknown`: it could not be. `flaw`: what is wrong with it. */
export type DnsRecord = {
  name: string;
  host: string;
  type: string;
  state: "ok" | "attention" | "unknown" | "off";
  wanted: string;
  /** What it says, where that is the same for every domain. */
  literal: string | null;
  found: string;
  flaw: string | null;
  fix: string;
  at: Instant;
};

/** After it a test mail counts as lost, until it arrives after all. */
export const LOST_AFTER = minutes(10);

export type DirectionState = "off" | "new" | "waiting" | "proven" | "failed";

/** `at`: when it happened; null: it is no event. */
export type CheckStep = { at: Instant | null; text: string };

export type DirectionView = { state: DirectionState; words: string; steps: CheckStep[]; hint: string | null };

/** `form`: the intent of the form that was not taken. */
export type MailSetupError = ValidationError & { form: string };

/** A row of what DNS and routing must have. `literal`: which of them is written as it stands in a record. */
export type WantedRow = {
  name: string;
  of: string;
  wanted: string;
  found: string;
  literal?: { wanted: boolean; found: boolean };
  state: "right" | "wrong" | "unknown";
  note: string;
};

export const confirmTestPath = (code: string): string => withParams(MAIL_SETUP_PATH, { code });
