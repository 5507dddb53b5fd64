import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import type { Duration, Instant } from "~/lib/time";
import { PERCENT_FROM, type Range } from "./definitions";
import type { Times } from "./histogram";

export type { Times } from "./histogram";

/**
 * Names what figures are about: days of the site's time zone, `YYYY-MM-DD`, both included; null: every organization.
 */
export type Period = { from: string; to: string; organizationId: string | null };

/** Holds a part of a whole, of which a percentage is shown if there are enough cases. */
export type Share = { part: number; n: number };

/** Counts the promises that were kept, and those that were missed. */
export type Promises = { kept: number; missed: number };

/** Holds how first replies, their promises, and resolutions stand for one priority. */
export type PriorityFigures = { created: number; firstResponse: Times; promises: Promises; resolution: Times };

/** Holds the tickets of a day or month, and how many were active at its end. */
export type FlowFigures = { from: string; to: string; created: number; resolved: number; openAtEnd: number };

/** Holds a month as the drawing of trends names it, and whether the chosen range touches it. */
export type NamedMonth = FlowFigures & { label: string; isInRange: boolean };

/** Holds everything that is counted of tickets in a period. What each number means is in `definitions.ts`. */
export type Figures = Period & {
  created: number;
  /** Counts the tickets created in the period, by their status now. */
  byStatus: Record<TicketStatus, number>;
  byPriority: Record<TicketPriority, PriorityFigures>;
  firstResponse: { open: Times; wall: Times };
  /** Counts all promises, and of these the first replies. */
  promises: Promises;
  firstPromises: Promises;
  resolved: number;
  resolution: Times;
  /** Holds the mean part of the resolution in which we waited for the client; null: nothing was resolved. */
  pausedMean: Duration | null;
  reopened: Share;
  satisfaction: Share;
  /** Counts the active tickets at the end of the last day, by age: see `BACKLOG_AGES`. */
  backlog: readonly [number, number, number, number];
  /** Counts the tickets whose latest changes are not counted yet. */
  uncounted: number;
};

/** Returns what is counted as resolved of what was created. It exceeds 100 % where older tickets were resolved. */
export const resolutionRate = ({ resolved, created }: Pick<Figures, "resolved" | "created">): Share => ({
  part: resolved,
  n: created,
});

/** Returns the share of promises that were kept, of all that have ended. */
export const keptShare = ({ kept, missed }: Promises): Share => ({ part: kept, n: kept + missed });

/** Returns a share in whole percent; null: there are too few cases for that. */
export const percentOf = ({ part, n }: Share): number | null =>
  n < PERCENT_FROM ? null : Math.round((100 * part) / n);

/** Holds what an organization did in a range. */
export type OrganizationFigures = { id: string; name: string; created: number; answered: number } & Promises;

/** Describes a promise that was missed. */
export type LateReply = {
  id: number;
  number: number;
  organizationId: string;
  organization: string;
  promise: "first_response" | "next_response";
  dueAt: Instant;
  /** Says how late the reply came; null: it has not come. */
  lateBy: Duration | null;
  /** Says why, as the letter of the month says it; null or empty: nobody has said it yet. */
  reason: string | null;
};

/** Describes one of the things that a number counts. Times in milliseconds, see `ticket_facts`. */
export type FigureRow = {
  id: number;
  day: string;
  at: Instant;
  number: number;
  title: string;
  organizationId: string;
  organization: string;
  priority: TicketPriority;
  status: TicketStatus;
  openTime: Duration | null;
  totalTime: Duration | null;
  pausedTime: Duration | null;
  detail: string | null;
};

/** Holds a page of the rows behind a number; `next`: where the next page begins. */
export type FigureRows = { rows: FigureRow[]; next: string | null };

/** Holds what the page shows of a range. */
export type Analytics = {
  zone: string;
  range: Range;
  figures: Figures;
  months: FlowFigures[];
  activeOrganizations: number;
  /** Counts the organizations with a plan, of all there are. */
  withPlan: number;
  /** Holds a page of the organizations, those with the most tickets first; `next`: where the next page begins. */
  organizations: { rows: OrganizationFigures[]; next: string | null };
  late: LateReply[];
};
