import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { takeLimit } from "~/platform/rate-limits.server";
import { onlyPosts } from "~/platform/responses.server";

export function loader() {
  return onlyPosts();
}

export async function action({ context, request }: ActionFunctionArgs) {
  const limit = await takeLimit(context.db, "csp_ip", context.request.network, context.now());
  if (limit.allowed) context.log("warn", { event: "csp_violation", request_id: context.request.id });
  await request.body?.cancel();
  return new Response(null, { status: 204 });
}
