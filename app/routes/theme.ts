import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { themeActions } from "~/features/site/site-layout.server";
import { runFormAction } from "~/platform/form-actions.server";
import { onlyPosts } from "~/platform/responses.server";

export function loader() {
  return onlyPosts();
}

export async function action({ context, request }: ActionFunctionArgs) {
  const params = { referrer: request.headers.get("referer") };
  return runFormAction(context, themeActions, { actor: null, request, params });
}
