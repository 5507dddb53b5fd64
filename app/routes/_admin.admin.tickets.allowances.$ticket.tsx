import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { allowanceActions } from "~/features/tickets/allowances/actions.server";
import { Allowances } from "~/features/tickets/allowances/allowances";
import { readTicketAllowances } from "~/features/tickets/allowances/ledger.server";
import { allowancesPath } from "~/features/tickets/paths";
import { StaffSubpage } from "~/features/tickets/ui/subpage";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Visits and Incidents");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return json({
    ...orNotFound(await readTicketAllowances(context.db, ticketParam(params.ticket))),
    tokens: formTokens(context, actor, allowanceActions),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const ticket = ticketParam(params.ticket);
  return runFormAction(context, allowanceActions, {
    actor,
    request,
    params: { ticket, path: allowancesPath(ticket) },
  });
}

export default function TicketAllowancesPage() {
  const { hasErrors: _, ...page } = useLoaderData<typeof loader>();
  return (
    <StaffSubpage reference={page.reference} title="Use of the plan">
      <Allowances {...page} />
    </StaffSubpage>
  );
}
