import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import { repliedMeanwhile } from "../copy";
import type { StoredTicket } from "../queries.server";
import { listNewerMessages, type TicketMessage } from "./queries.server";

/** Holds what others wrote while a reply was being written. */
export type Overtaken = {
  /** Says who was faster: "Sam Lee replied while you were writing." */
  words: string;
  messages: readonly { id: string; author: string; at: Instant; text: string }[];
  /** Counts the public messages so far: a reply that is sent now has seen them. */
  upTo: number;
};

type Begun = { begunAtMessage: number; by: string; nameOf: (message: TicketMessage) => string };

/** Reads what others wrote on a ticket since somebody began a reply, as its author reads their names. */
export async function readOvertaken(
  db: Db,
  { id, publicMessages }: Pick<StoredTicket, "id" | "publicMessages">,
  { nameOf, ...begun }: Begun,
): Promise<Overtaken> {
  const newer = await listNewerMessages(db, id, { ...begun, publicMessages });
  const messages = newer.map((each) => ({ id: each.id, author: nameOf(each), at: each.at, text: each.text }));
  return { words: repliedMeanwhile(messages.at(-1)?.author ?? "Someone"), messages, upTo: publicMessages };
}
