import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { readRequesterChange, requesterActions } from "~/features/tickets/requester.server";
import { RequesterForm } from "~/features/tickets/ui/requester-form";
import { StaffSubpage } from "~/features/tickets/ui/subpage";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";

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
  return (
    <StaffSubpage reference={form.reference} title="Change requester" crumb="Requester">
      <RequesterForm {...form} />
    </StaffSubpage>
  );
}
