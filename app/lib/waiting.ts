import { ADMIN_HOME_PATH } from "./addresses";
import type { CappedCount } from "./capped-count";
import type { Due } from "./due";

/** Describes someone who waits for an answer, whatever they have sent. */
export type WaitingItem = {
  id: string;
  /** Holds the reference number, shown as `L-1001`. */
  number: string;
  /** Holds the address of the record. */
  to: string;
  name: string;
  organization: string | null;
  /** Says what it is about, in one line. */
  snippet: string | null;
  due: Due;
  /** Holds the sign of its priority, which screen readers leave out; null: it has none. */
  mark: string | null;
  /** Says what was promised, in words: "by 14:26", of a ticket "Urgent, by 14:26". */
  promise: string;
  /** Holds the full name of the person who has it. */
  owner: string | null;
  /** Names the form that takes it, by its intent. */
  take: "take" | "take_ticket";
};

/** Lists whose items a queue can show: everyone's, one's own, and those without an owner. */
const QUEUE_OWNERS = ["all", "me", "none"] as const;
export type QueueOwner = (typeof QUEUE_OWNERS)[number];

/** Describes what waits: the first items, how many there are, and the promise that comes next. */
export type WaitingQueue = {
  items: WaitingItem[];
  counts: Record<QueueOwner, CappedCount>;
  late: CappedCount;
  /** Holds the oldest open promise; without one, what would be promised now. */
  next: Due;
};

/** Returns the queue that an address asks for; anything unknown means everyone's. */
export const queueOwner = (text: string | null): QueueOwner => QUEUE_OWNERS.find((owner) => owner === text) ?? "all";

/** Returns the address of a queue. */
export const queuePath = (owner: QueueOwner): string =>
  owner === "all" ? ADMIN_HOME_PATH : `${ADMIN_HOME_PATH}?own=${owner}`;
