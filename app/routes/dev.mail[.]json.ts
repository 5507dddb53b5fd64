import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { listCapturedMails } from "~/features/mail/queries.server";

export async function loader({ context }: LoaderFunctionArgs) {
  if (context.config.APP_ENV === "production") throw new Response(null, { status: 404 });
  return json(await listCapturedMails(context.db, context.request.url.searchParams.get("to") || null));
}
