import type { MemberActor } from "~/features/auth/guards.server";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { clientTicketRows } from "~/features/tickets/client-list/definition.server";
import { viewerOf } from "~/features/tickets/conversation/reply-as-client.server";
import { clientTicketPath } from "~/features/tickets/subject";
import { firstNameOf } from "~/lib/person-name";
import { referenceNumber } from "~/lib/reference-number";
import { fold } from "~/lib/text";
import type { ListViewer } from "~/lists/criteria";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { NEWEST_ONLY } from "./copy";
import { findDescriptions } from "./find-descriptions.server";
import { findMessagesForClient } from "./find-messages.server";
import { listGroup, messageGroup } from "./groups";
import { isInDescription, ticketHit } from "./hits";
import type { HitGroup } from "./model";
import { wordsOf } from "./words";

/**
 * Searches the tickets that a client may see in the organization they work in, and the public messages on them, in two
 * round trips.
 */
export async function searchForClient(
  { db }: Pick<Ctx, "db">,
  viewer: ListViewer & { actor: MemberActor },
  text: string,
): Promise<HitGroup[]> {
  const filter = clientTicketList.readFilter(new URLSearchParams({ q: text }));
  const [tickets, messages] = await Promise.all([
    clientTicketRows.read(db, { filter, page: pageRequest(new URLSearchParams()), viewer }),
    findMessagesForClient(db, wordsOf(text), viewerOf(viewer.actor)),
  ]);
  const terms = [fold(text)];
  const rows = tickets.page.rows.map((row) => ({
    ...row,
    number: referenceNumber("ticket", row.number),
    organization: null,
  }));
  const inName = (row: (typeof rows)[number]) => isInDescription(row, terms);
  const descriptions = await findDescriptions(
    db,
    rows.filter(inName).map(({ id }) => id),
  );
  return [
    listGroup({
      id: "tickets",
      title: "Tickets",
      list: clientTicketList,
      filter,
      read: { ...tickets, page: { ...tickets.page, rows } },
      hitOf: (row) =>
        ticketHit(row, { terms, path: clientTicketPath(row.number), description: descriptions.get(row.id) }),
    }),
    messageGroup({
      text,
      messages,
      pathOf: clientTicketPath,
      withOrganization: false,
      authorOf: ({ author, side }) => (side === "staff" ? firstNameOf(author) : author),
      ...(viewer.actor.membership.role === "member" ? { note: NEWEST_ONLY } : {}),
    }),
  ];
}
