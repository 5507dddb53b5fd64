import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { signOutActions } from "~/features/sign-in/actions.server";
import { runFormAction } from "~/platform/form-actions.server";

export function loader(_: LoaderFunctionArgs) {
  return new Response(null, { status: 405, headers: { Allow: "POST" } });
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, signOutActions, { actor: null, request, params: null });
}
