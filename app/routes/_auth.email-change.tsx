import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { LinkCard } from "~/features/sign-in/link-card";
import { emailChangeActions, emailUndoActions, loadLinkPage } from "~/features/sign-in/link-page.server";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";
import { mapBody } from "~/platform/responses.server";

export { retryHeaders as headers } from "~/ui/form";

const TITLES = { confirm: "Confirm your new email address", undo: "Undo the change of your email address" };

export const meta: MetaFunction<typeof loader> = (page) =>
  accountMeta(page, TITLES[page.data?.undo ? "undo" : "confirm"]);

const isUndo = (url: URL) => url.searchParams.has("undo");

export async function loader({ context }: LoaderFunctionArgs) {
  const undo = isUndo(context.request.url);
  const loaded = await loadLinkPage(context, undo ? "email_undo" : "email_change");
  return respond(
    context,
    mapBody(loaded, (page) => ({ ...page, undo })),
  );
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actions = isUndo(context.request.url) ? emailUndoActions : emailChangeActions;
  return runFormAction(context, actions, { actor: null, request, params: null });
}

export default function EmailChangePage() {
  const { undo, ...page } = useLoaderData<typeof loader>();
  return (
    <LinkCard
      title={TITLES[undo ? "undo" : "confirm"]}
      text={
        undo
          ? "Your old address comes back, everyone is signed out of your account, and you choose a new password."
          : "From now on, you sign in with the new address. You are signed out everywhere else."
      }
      button={undo ? "Undo the change" : "Confirm new address"}
      action={undo ? "/email-change?undo=1" : "/email-change"}
      page={page}
      error={useActionData<typeof action>()?.error}
      otherwise={{ label: "Go to your profile", to: "/profile" }}
    />
  );
}
