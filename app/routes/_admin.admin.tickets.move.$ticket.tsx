import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { movingActions, readMoving } from "~/features/tickets/moving.server";
import { MoveForm } from "~/features/tickets/ui/move-form";
import { StaffSubpage } from "~/features/tickets/ui/subpage";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Move Ticket");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const search = (context.request.url.searchParams.get("find") ?? "").trim();
  return json({
    ...orNotFound(await readMoving(context.db, { ref: ticketParam(params.ticket), search })),
    token: formTokens(context, actor, movingActions).move ?? "",
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, movingActions, { actor, request, params: { ticket: ticketParam(params.ticket) } });
}

export default function MoveTicketPage() {
  const { hasErrors: _, ...form } = useLoaderData<typeof loader>();
  return (
    <StaffSubpage reference={form.reference} title="Move to another organization" crumb="Move">
      <MoveForm {...form} />
    </StaffSubpage>
  );
}
