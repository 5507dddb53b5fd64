import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { LinkCard } from "~/features/sign-in/link-card";
import { loadLinkPage, notMeActions } from "~/features/sign-in/link-page.server";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export { retryHeaders as headers } from "~/ui/form";

const TITLE = "This wasn't you?";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, await loadLinkPage(context, "not_me"));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, notMeActions, { actor: null, request, params: null });
}

export default function NotMePage() {
  return (
    <LinkCard
      title={TITLE}
      text="Everyone is signed out of your account at once, on every device. After that you choose a new password."
      button="Sign everyone out"
      action="/not-me"
      page={useLoaderData<typeof loader>()}
      error={useActionData<typeof action>()?.error}
      otherwise={{ label: "Choose a new password", to: "/login?mode=reset" }}
    />
  );
}
