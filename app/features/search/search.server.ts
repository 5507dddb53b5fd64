import { can } from "~/access/policy";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { findContacts } from "~/features/contacts/queries.server";
import { memberList } from "~/features/members/definition";
import { memberRows } from "~/features/members/definition.server";
import { organizationList } from "~/features/organization-management/definition";
import { organizationRows } from "~/features/organization-management/definition.server";
import { submissionList } from "~/features/submissions/list/definition";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { viewerOf } from "~/features/tickets/access.server";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { clientTicketRows } from "~/features/tickets/client-list/definition.server";
import { clientTicketPath, staffTicketPath } from "~/features/tickets/paths";
import { ticketList } from "~/features/tickets/staff-list/definition";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { userList } from "~/features/user-management/definition";
import { userRows } from "~/features/user-management/definition.server";
import { referenceNumber } from "~/lib/ids";
import { firstNameOf } from "~/lib/names";
import { fold } from "~/lib/text";
import type { ListViewer } from "~/lists/criteria";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import {
  contactGroup,
  isInDescription,
  listGroup,
  memberHit,
  messageGroup,
  organizationHit,
  submissionHit,
  ticketHit,
  userHit,
} from "./hits";
import { NEWEST_ONLY } from "./labels";
import { findDescriptions, findMessagesForClient, findMessagesForStaff } from "./messages.server";
import { CONTACTS_SHOWN, type HitGroup, wordsOf } from "./model";

/** Two round trips. */
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

/** Two round trips. */
export async function searchForStaff(
  { db }: Pick<Ctx, "db">,
  viewer: ListViewer & { actor: StaffActor },
  text: string,
): Promise<HitGroup[]> {
  const params = new URLSearchParams({ q: text });
  const page = pageRequest(new URLSearchParams());
  const seesUsers = can(viewer.actor, userList.ability);
  const filters = {
    tickets: ticketList.readFilter(params),
    submissions: submissionList.readFilter(params),
    organizations: organizationList.readFilter(params),
    users: userList.readFilter(params),
    members: memberList.readFilter(params),
  };
  const [tickets, messages, submissions, organizations, users, members, contacts] = await Promise.all([
    ticketRows.read(db, { filter: filters.tickets, page, viewer }),
    findMessagesForStaff(db, wordsOf(text)),
    submissionRows.read(db, { filter: filters.submissions, page, viewer }),
    organizationRows.read(db, { filter: filters.organizations, page, viewer }),
    seesUsers ? userRows.read(db, { filter: filters.users, page, viewer }) : null,
    seesUsers ? null : memberRows.read(db, { filter: filters.members, page, viewer }),
    can(viewer.actor, organizationList.ability) ? findContacts(db, text, CONTACTS_SHOWN + 1) : [],
  ]);
  const terms = [fold(text)];
  const described = tickets.page.rows.filter((row) => isInDescription(row, terms)).map(({ id }) => id);
  const descriptions = await findDescriptions(db, described);
  return [
    listGroup({
      id: "tickets",
      title: "Tickets",
      list: ticketList,
      filter: filters.tickets,
      read: tickets,
      hitOf: (row) => {
        const description = descriptions.get(row.id);
        return ticketHit(row, { terms, path: staffTicketPath(row.number), description });
      },
    }),
    messageGroup({
      text,
      messages,
      pathOf: staffTicketPath,
      withOrganization: true,
      authorOf: ({ author }) => author,
    }),
    listGroup({
      id: "submissions",
      title: "Submissions",
      list: submissionList,
      filter: filters.submissions,
      read: submissions,
      hitOf: (row) => submissionHit(row, terms),
    }),
    listGroup({
      id: "organizations",
      title: "Organizations",
      list: organizationList,
      filter: filters.organizations,
      read: organizations,
      hitOf: (row) => organizationHit(row, terms),
    }),
    ...(users
      ? [
          listGroup({
            id: "people",
            title: "People",
            list: userList,
            filter: filters.users,
            read: users,
            hitOf: (row) => userHit(row, terms),
          }),
        ]
      : []),
    ...(members
      ? [
          listGroup({
            id: "people",
            title: "Members",
            list: memberList,
            filter: filters.members,
            read: members,
            hitOf: (row) => memberHit(row, terms),
          }),
        ]
      : []),
    contactGroup(contacts, terms),
  ];
}
