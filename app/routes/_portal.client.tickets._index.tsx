import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { portalTitle } from "~/features/settings/brand";
import { ClientTicketListPage } from "~/features/tickets/client-list/client-ticket-list";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { CARDS_PURPOSE, cardActions, readClientTickets } from "~/features/tickets/client-list/list.server";
import { TICKET_LIST_FAILED } from "~/features/tickets/labels";
import { loadList } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

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
  return <ClientTicketListPage loaded={useLoaderData<typeof loader>()} />;
}
