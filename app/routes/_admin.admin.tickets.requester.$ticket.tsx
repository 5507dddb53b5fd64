import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { STAFF_TICKETS_PATH, staffTicketPath } from "~/features/tickets/paths";
import { readRequesterChange, requesterActions } from "~/features/tickets/requester.server";
import { RequesterForm } from "~/features/tickets/ui/requester-form";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Change Requester");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return json({
    ...orNotFound(await readRequesterChange(context.db, ticketParam(params.ticket))),
    token: formTokens(context, actor, requesterActions).change ?? "",
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, requesterActions, { actor, request, params: { ticket: ticketParam(params.ticket) } });
}

export default function ChangeRequesterPage() {
  const { hasErrors: _, ...form } = useLoaderData<typeof loader>();
  const { reference } = form;
  const crumbs = [
    { label: "Tickets", to: STAFF_TICKETS_PATH },
    { label: reference, to: staffTicketPath(reference) },
    { label: "Requester" },
  ];
  return (
    <Page title="Change requester" breadcrumb={<Breadcrumb dense items={crumbs} />}>
      <RequesterForm {...form} />
    </Page>
  );
}
