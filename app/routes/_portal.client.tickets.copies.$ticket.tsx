import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { portalTitle } from "~/features/settings/brand";
import { CC_PURPOSE, clientCcActions } from "~/features/tickets/cc/actions.server";
import { CcList } from "~/features/tickets/cc/cc-list";
import { readCcForClient } from "~/features/tickets/cc/queries.server";
import { CLIENT_TICKETS_PATH, clientCcPath, clientTicketPath } from "~/features/tickets/paths";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => portalTitle(page, "Copies by Mail");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  return json({
    ...orNotFound(await readCcForClient(context.db, actor, ticketParam(params.ticket))),
    organizationId: actor.membership.organizationId,
    token: issueFormToken(context, CC_PURPOSE),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  return runFormAction(context, clientCcActions, { actor, request, params: { ticket: ticketParam(params.ticket) } });
}

export default function ClientCcPage() {
  const { hasErrors: _, ...page } = useLoaderData<typeof loader>();
  const { reference } = page;
  const crumbs = [
    { label: "Tickets", to: CLIENT_TICKETS_PATH },
    { label: reference, to: clientTicketPath(reference) },
    { label: "Copies to other addresses" },
  ];
  return (
    <Page title="Copies to other addresses" breadcrumb={<Breadcrumb items={crumbs} />}>
      <CcList {...page} path={clientCcPath(reference)} ticketPath={clientTicketPath(reference)} />
    </Page>
  );
}
