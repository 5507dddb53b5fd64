import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireClient, requireMember } from "~/features/auth/guards.server";
import { loadNewTicketPage, newTicketActions } from "~/features/portal/new-ticket.server";
import { runFormAction } from "~/platform/form-actions.server";

export { ClientNewTicketPage as default, newTicketMeta as meta } from "~/features/portal/ui/new-ticket-page";
export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireClient(context);
  return json(await loadNewTicketPage(context, actor));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "ticket.open");
  return runFormAction(context, newTicketActions, { actor, request, params: null });
}
