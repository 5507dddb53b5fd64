import { type Instant, minutes } from "./time";

/** Sets how long a page says of its reader's message that it was just sent. */
const SENT_SHOWN = minutes(1);

type Written = { id: string; at: Instant; isOwn?: boolean };

/** Returns the id of what the reader of a conversation, the oldest first, has just written in it; null: nothing. */
export const justSent = (conversation: readonly Written[], now: Instant): string | null =>
  conversation.findLast(({ isOwn, at }) => isOwn && at > now - SENT_SHOWN)?.id ?? null;
