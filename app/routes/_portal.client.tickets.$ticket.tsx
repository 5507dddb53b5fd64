import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { MESSAGES_FAILED } from "~/features/conversation/messages.server";
import { portalTitle } from "~/features/settings/brand";
import { CHANGE_PURPOSE, clientTicketActions, REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import {
  ClientReplyForm,
  ClientTicketHead,
  ClientTicketThread,
  SolveBand,
  TicketCrumb,
  TicketTarget,
} from "~/features/tickets/client-record/conversation";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { TicketSidebar } from "~/features/tickets/client-record/sidebar";
import { clientTicketPath } from "~/features/tickets/paths";
import { readOrFail } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound } from "~/platform/responses.server";
import { Page, RecordLayout } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  portalTitle(page, page.data ? `${page.data.number} ${page.data.title}` : "");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  const before = context.request.url.searchParams.get("before");
  const reading = readClientTicket(context, actor, { ref: params.ticket ?? "", before });
  const ticket = orNotFound(await readOrFail(context, MESSAGES_FAILED, reading));
  const tokens = { reply: issueFormToken(context, REPLY_PURPOSE), change: issueFormToken(context, CHANGE_PURPOSE) };
  return json({ ...ticket, tokens });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  const ticket = params.ticket ?? "";
  return runFormAction(context, clientTicketActions, {
    actor,
    request,
    params: { ticket, path: clientTicketPath(ticket) },
  });
}

export default function ClientTicketPage() {
  const { tokens, ...ticket } = useLoaderData<typeof loader>();
  return (
    <Page title={ticket.title} breadcrumb={<TicketCrumb number={ticket.number} />}>
      <ClientTicketHead {...ticket} />
      <SolveBand {...ticket} tokens={tokens} />
      {ticket.slas.map((sla) => (
        <TicketTarget key={sla.text} {...sla} />
      ))}
      <RecordLayout key={ticket.number} sidebar={<TicketSidebar {...ticket} token={tokens.change} />}>
        <ClientTicketThread {...ticket} />
        <ClientReplyForm {...ticket} tokens={tokens} />
      </RecordLayout>
    </Page>
  );
}
