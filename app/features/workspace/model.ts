import type { SubjectKinds } from "~/access/policy";
import { organizationKind } from "~/features/organizations/model";
import { submissionKind } from "~/features/submissions/subject";
import { ticketKind } from "~/features/tickets/paths";
import { userKind } from "~/features/users/model";
import { type LiveEventType, SUBJECT_TYPES, type SubjectType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { LiveEventFrame } from "~/live/protocol";
import { LIVE_SENTENCES } from "./labels";

export type NavigationEntry = {
  label: string;
  path: string;
  badge?: { count: number; isMore?: boolean; of: string };
};

export const VIEWS_PATH = "/admin/views";

export type SavedView = { id: string; name: string; query: string; shared: boolean; mine: boolean; owner: string };

export const VIEWS_LIMIT = 50;
export const VIEW_NAME_MAX = 60;

export const SUBJECT_KINDS: SubjectKinds = {
  submission: submissionKind,
  user: userKind,
  organization: organizationKind,
  ticket: ticketKind,
};

export const subjectTypeOf = (id: string): SubjectType | null =>
  SUBJECT_TYPES.find((type) => id.startsWith(`${SUBJECT_KINDS[type].idPrefix}_`)) ?? null;

export const STAFF_LIVE_PATH = "/admin/live";

export const LIVE_PANEL_SIZE = 5;
export const LIVE_UPDATES_LIMIT = 50;

export type LiveUpdate = { seq: number; type: LiveEventType; label: string; href: string | null; at: Instant };

const SUBJECT_OF: Record<LiveEventType, SubjectType> = {
  new_submission: "submission",
  status_update: "submission",
  new_note: "submission",
  mfa_event: "user",
  ticket_event: "ticket",
};

type StoredOrReceivedEvent = Pick<LiveEventFrame, "seq" | "type" | "id" | "label"> & { at: Instant };

export const liveUpdate = ({ seq, type, id, label, at }: StoredOrReceivedEvent): LiveUpdate => ({
  seq,
  type,
  label: LIVE_SENTENCES[type](label),
  href: hrefOf(type, id),
  at,
});

function hrefOf(event: LiveEventType, id: string): string | null {
  const type = subjectTypeOf(id) ?? SUBJECT_OF[event];
  const { pages, listPath } = SUBJECT_KINDS[type];
  return (id === "" ? listPath : pages.staff?.(id)) ?? null;
}

/** Events up to `listedThrough` come from the server's list only; a missing one was dismissed. */
export function mergeUpdates(listed: readonly LiveUpdate[], listedThrough: number, received: readonly LiveUpdate[]) {
  const newer = received.filter(({ seq }) => seq > listedThrough).sort((left, right) => right.seq - left.seq);
  return [...newer, ...listed].slice(0, LIVE_PANEL_SIZE);
}
