import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { themeActions } from "~/features/site/site-layout.server";
import { runFormAction } from "~/platform/form-actions.server";

export function loader(_: LoaderFunctionArgs) {
  return new Response(null, { status: 405, headers: { Allow: "POST" } });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const params = { referrer: request.headers.get("referer") };
  return runFormAction(context, themeActions, { actor: null, request, params });
}
