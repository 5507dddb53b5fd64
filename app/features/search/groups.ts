import { fold } from "~/lib/text";
import type { ListRead } from "~/lists/model";
import { MESSAGES_BY_WORD } from "./copy";
import type { FoundMessage } from "./find-messages.server";
import { excerptAround, markMatches } from "./mark-matches";
import { type Hit, type HitGroup, MESSAGES_SHOWN } from "./model";
import { wordsOf } from "./words";

/** Describes what is used of a list, as `defineList` returns it. */
type SearchedList<Filter> = {
  noun: { one: string; many: string };
  readFilter: (params: URLSearchParams) => Filter;
  pathTo: (filter: Filter) => string;
};

type ListGroup<Filter, Row> = {
  id: string;
  title: string;
  list: SearchedList<Filter>;
  filter: Filter;
  read: ListRead<Row>;
  hitOf: (row: Row) => Hit;
};

/** Returns the rows of a list as a group, which leads to the list with the same search. */
export const listGroup = <Filter, Row>({ id, title, list, filter, read, hitOf }: ListGroup<Filter, Row>): HitGroup => ({
  id,
  title,
  hits: read.page.rows.map(hitOf),
  total: read.total,
  listPath: list.pathTo(filter),
  noun: list.noun,
  note: null,
});

type MessageGroup = {
  text: string;
  messages: readonly FoundMessage[];
  /** Returns the page of a ticket, by its number. */
  pathOf: (number: string) => string;
  /** Returns who wrote it, as the reader knows them. */
  authorOf: (message: FoundMessage) => string;
  withOrganization: boolean;
  note?: string;
};

/** Returns messages as a group. */
export function messageGroup({ text, messages, pathOf, authorOf, withOrganization, note }: MessageGroup): HitGroup {
  const terms = wordsOf(text).map(fold);
  const isMore = messages.length > MESSAGES_SHOWN;
  const hits = messages.slice(0, MESSAGES_SHOWN).map((message): Hit => {
    const number = `T-${message.ticketNumber}`;
    return {
      id: message.id,
      to: pathOf(number),
      reference: number,
      title: markMatches(message.title, terms),
      reason: message.isInternal ? "in an internal note of" : "in a reply of",
      at: message.at,
      excerpt: excerptAround(message.part, terms),
      facts: [authorOf(message), ...(withOrganization ? [message.organization] : [])],
    };
  });
  return {
    id: "messages",
    title: "Messages",
    hits,
    total: { count: hits.length, more: isMore ? "certainly" : false },
    listPath: null,
    noun: { one: "message", many: "messages" },
    note: note ?? MESSAGES_BY_WORD,
  };
}
