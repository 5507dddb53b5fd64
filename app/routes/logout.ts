import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { signOutActions } from "~/features/sign-in/actions.server";
import { runFormAction } from "~/platform/form-actions.server";
import { onlyPosts } from "~/platform/responses.server";

export function loader() {
  return onlyPosts();
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, signOutActions, { actor: null, request, params: null });
}
