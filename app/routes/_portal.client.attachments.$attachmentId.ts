import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMember } from "~/features/auth/guards.server";
import { sendClientFile } from "~/features/tickets/client-record/read-client-ticket.server";
import { respond } from "~/platform/respond.server";
import { idParam, orNotFound } from "~/platform/responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  const attachmentId = idParam("att", params.attachmentId);
  const isInline = context.request.url.searchParams.has("inline");
  return respond(context, orNotFound(await sendClientFile(context, actor, attachmentId, { isInline })));
}
