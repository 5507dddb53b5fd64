import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { portalTitle } from "~/features/settings/brand";
import { ClientTicketFilters, ClientTicketList } from "~/features/tickets/client-list/client-ticket-list";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { CARDS_PURPOSE, cardActions, readClientTickets } from "~/features/tickets/client-list/list.server";
import { TICKET_LIST_FAILED } from "~/features/tickets/labels";
import { NEW_TICKET_PATH } from "~/features/tickets/paths";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { LinkButton } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, "Tickets");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  const { organizationId } = actor.membership;
  return loadList(context, actor, clientTicketList, {
    failed: TICKET_LIST_FAILED,
    read: (request) => readClientTickets(context, actor, request),
    more: () => ({ token: issueFormToken(context, CARDS_PURPOSE), organizationId }),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  return runFormAction(context, cardActions, { actor, request, params: null });
}

export default function ClientTicketsPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, ...panel } = loaded;
  const path = useListPath(clientTicketList, loaded);
  return (
    <ListPage
      loaded={loaded}
      path={path}
      title="Tickets"
      actions={
        <>
          <ExportLink to={clientTicketList.exportPath(new URLSearchParams(clientTicketList.query(panel.filter)))} />
          <LinkButton to={NEW_TICKET_PATH}>New Ticket</LinkButton>
        </>
      }
      filters={<ClientTicketFilters filter={panel.filter} size={panel.size} />}
    >
      {list ? <ClientTicketList {...panel} tickets={list} path={path} /> : null}
    </ListPage>
  );
}
