import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { SentBefore } from "~/features/conversation/undo";
import { NEW_ORGANIZATION_PATH } from "~/features/organization-management/paths";
import { NO_CHOICES } from "~/features/organizations/model";
import { listOrganizationChoices } from "~/features/organizations/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { TICKET_LIST_FAILED } from "~/features/tickets/labels";
import { ticketActions } from "~/features/tickets/record/actions.server";
import { listedTicketPath } from "~/features/tickets/record/read-ticket.server";
import { ticketList } from "~/features/tickets/staff-list/definition";
import { readTickets, TICKET_LIST_PURPOSE, ticketListActions } from "~/features/tickets/staff-list/list.server";
import { TicketListPage, TicketViews } from "~/features/tickets/staff-list/ticket-list";
import { findSentBefore } from "~/features/tickets/undo-reply.server";
import { listStaff } from "~/features/users/queries.server";
import { VIEW_PURPOSE } from "~/features/workspace/actions.server";
import { loadList, readOrNull } from "~/features/workspace/load-list.server";
import { listSavedViews } from "~/features/workspace/queries.server";
import { SavedViews } from "~/features/workspace/ui/saved-views";
import { useListPath } from "~/lists/ui/list-page";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Tickets");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const { db } = context;
  return loadList(context, actor, ticketList, {
    failed: TICKET_LIST_FAILED,
    read: (request) => readTickets(context, request, readOrNull(context, "staff_failed", listStaff(db))),
    more: async ({ organization }) => {
      const { searchParams } = context.request.url;
      const [organizations, views, sentBefore] = await Promise.all([
        readOrNull(context, "organizations_failed", listOrganizationChoices(db, organization)),
        readOrNull(context, "saved_views_failed", listSavedViews(db, actor.userId, "tickets")),
        findSentBefore(context, actor.userId, (ticket) => listedTicketPath(ticket, searchParams)),
      ]);
      return {
        organizations: organizations ?? NO_CHOICES,
        views,
        sentBefore,
        undoToken: formTokens(context, actor, { actions: { undo: ticketActions.actions.undo } }).undo,
        token: issueFormToken(context, TICKET_LIST_PURPOSE),
        viewToken: issueFormToken(context, VIEW_PURPOSE),
        mayExport: can(actor, "ticket.export"),
        inviteTo: can(actor, "organization.manage") ? NEW_ORGANIZATION_PATH : null,
      };
    },
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, ticketListActions, { actor, request, params: null });
}

export default function TicketsPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, views, viewToken, sentBefore, undoToken } = loaded;
  const path = useListPath(ticketList, loaded);
  const above = (
    <>
      <SentBefore key={sentBefore?.undoable.id} sent={sentBefore} token={undoToken} />
      <TicketViews filter={filter} list={list}>
        <SavedViews list={ticketList} views={views} query={ticketList.query(filter)} token={viewToken} path={path} />
      </TicketViews>
    </>
  );
  return <TicketListPage loaded={loaded} above={above} />;
}
