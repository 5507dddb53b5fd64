import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "~/features/auth/guards.server";
import { exportOwnData } from "~/features/privacy/own-data.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  const after = context.request.url.searchParams.get("after") ?? "";
  return respond(context, await exportOwnData(context, signedIn, after));
}
