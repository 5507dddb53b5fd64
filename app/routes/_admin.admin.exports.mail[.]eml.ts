import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { downloadMail } from "~/features/inbound-mail/mail-page.server";
import { respond } from "~/platform/respond.server";
import { idParam } from "~/platform/responses.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const id = idParam("inm", context.request.url.searchParams.get("mail") ?? undefined);
  return respond(context, await downloadMail(context, actor, id));
}
