import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { downloadAttachment } from "~/features/attachments/queries.server";
import { requireStaff } from "~/features/auth/guards.server";
import { respond } from "~/platform/respond.server";
import { idParam, orNotFound } from "~/platform/responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  const attachmentId = idParam("att", params.attachmentId);
  const isInline = context.request.url.searchParams.has("inline");
  return respond(context, orNotFound(await downloadAttachment(context, actor, attachmentId, { isInline })));
}
