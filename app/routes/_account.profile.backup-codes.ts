import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { codesActions } from "~/features/account/mfa.server";
import { requireAccount } from "~/features/auth/guards.server";
import { runFormAction } from "~/platform/form-actions.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireAccount(context);
  return new Response(null, { status: 405, headers: { Allow: "POST" } });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireAccount(context);
  return runFormAction(context, codesActions, { actor: signedIn, request, params: null });
}
