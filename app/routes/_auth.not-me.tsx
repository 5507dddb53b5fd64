import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ALL_SIGNED_OUT } from "~/features/auth/copy";
import { endSessionsByLink } from "~/features/auth/sessions/revoke-sessions.server";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { loadLinkPage, pressedLink } from "~/features/sign-in/link-page.server";
import { LinkCard } from "~/features/sign-in/ui/link-card";
import { redirectWithFlash } from "~/platform/responses.server";

const TITLE = "This wasn't you?";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.refused ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  return loadLinkPage(context, "not_me");
}

export async function action({ context, request }: ActionFunctionArgs) {
  const link = await pressedLink(context, request, "not_me");
  if (!link || !(await endSessionsByLink(context, link))) return json(null, { status: 400 });
  return redirectWithFlash(context, "/login?mode=reset", { kind: "success", ...ALL_SIGNED_OUT });
}

export default function NotMePage() {
  return (
    <LinkCard
      title={TITLE}
      text="Everyone is signed out of your account at once, on every device. After that you choose a new password."
      button="Sign everyone out"
      action="/not-me"
      page={useLoaderData<typeof loader>()}
      otherwise={{ label: "Choose a new password", to: "/login?mode=reset" }}
    />
  );
}
