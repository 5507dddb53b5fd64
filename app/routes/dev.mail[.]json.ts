import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { listCapturedMails } from "~/features/mail/queries.server";

/** Returns the captured mails for scripts and tests, newest first. Does not exist in production. */
export async function loader({ context }: LoaderFunctionArgs) {
  if (context.config.APP_ENV === "production") throw new Response(null, { status: 404 });
  return json(await listCapturedMails(context.db, context.request.url.searchParams.get("to") || null));
}
