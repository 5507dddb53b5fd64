import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { listCapturedMails } from "~/features/mail/queries.server";
import { isDeployed } from "~/platform/env.server";

export async function loader({ context }: LoaderFunctionArgs) {
  if (isDeployed(context.config)) throw new Response(null, { status: 404 });
  return json(await listCapturedMails(context.db, context.request.url.searchParams.get("to") || null));
}
