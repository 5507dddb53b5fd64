import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { downloadMail } from "~/features/inbound-mail/mail-page.server";
import { respond } from "~/platform/respond.server";
import { idParam, orNotFound } from "~/platform/responses.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "ticket.handle");
  const id = idParam("inm", context.request.url.searchParams.get("mail") ?? undefined);
  return respond(context, orNotFound(await downloadMail(context, id)));
}
