import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import { memberList } from "~/features/members/list/definition";
import { memberRows } from "~/features/members/list/definition.server";
import { organizationList } from "~/features/organization-management/list/definition";
import { organizationRows } from "~/features/organization-management/list/definition.server";
import { submissionList } from "~/features/submissions/list/definition";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { ticketList } from "~/features/tickets/staff-list/definition";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { staffTicketPath } from "~/features/tickets/subject";
import { userList } from "~/features/user-management/list/definition";
import { userRows } from "~/features/user-management/list/definition.server";
import { fold } from "~/lib/text";
import type { ListViewer } from "~/lists/criteria";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { findDescriptions } from "./find-descriptions.server";
import { findMessagesForStaff } from "./find-messages.server";
import { listGroup, messageGroup } from "./groups";
import { isInDescription, memberHit, organizationHit, submissionHit, ticketHit, userHit } from "./hits";
import type { HitGroup } from "./model";
import { wordsOf } from "./words";

/**
 * Searches everything that somebody of staff may open, in two round trips: the lists as they search themselves, with
 * their conditions of who sees what, and messages with internal notes.
 */
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
  const [tickets, messages, submissions, organizations, users, members] = await Promise.all([
    ticketRows.read(db, { filter: filters.tickets, page, viewer }),
    findMessagesForStaff(db, wordsOf(text)),
    submissionRows.read(db, { filter: filters.submissions, page, viewer }),
    organizationRows.read(db, { filter: filters.organizations, page, viewer }),
    seesUsers ? userRows.read(db, { filter: filters.users, page, viewer }) : null,
    seesUsers ? null : memberRows.read(db, { filter: filters.members, page, viewer }),
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
  ];
}
