import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { portalTitle } from "~/features/settings/brand";
import { COPIES_PURPOSE, clientCopyActions } from "~/features/tickets/copies/actions.server";
import { Copies } from "~/features/tickets/copies/copies";
import { readCopiesForClient } from "~/features/tickets/copies/queries.server";
import { CLIENT_TICKETS_PATH, clientCopiesPath, clientTicketPath } from "~/features/tickets/subject";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound } from "~/platform/route-responses.server";
import { Breadcrumb } from "~/ui/breadcrumb";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = (page) => portalTitle(page, "Copies by Mail");

/** Returns the number or id that an address names. */
const refOf = (ticket: string | undefined): string => (ticket ?? "").slice(0, 80);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  return json({
    ...orNotFound(await readCopiesForClient(context.db, actor, refOf(params.ticket))),
    organizationId: actor.membership.organizationId,
    token: issueFormToken(context, COPIES_PURPOSE),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  return runFormAction(context, clientCopyActions, { actor, request, params: { ticket: refOf(params.ticket) } });
}

export default function ClientCopiesPage() {
  const { hasErrors: _, ...page } = useLoaderData<typeof loader>();
  const { reference } = page;
  const crumbs = [
    { label: "Tickets", to: CLIENT_TICKETS_PATH },
    { label: reference, to: clientTicketPath(reference) },
    { label: "Copies to other addresses" },
  ];
  return (
    <Page title="Copies to other addresses" breadcrumb={<Breadcrumb items={crumbs} />}>
      <Copies {...page} path={clientCopiesPath(reference)} ticketPath={clientTicketPath(reference)} />
    </Page>
  );
}
