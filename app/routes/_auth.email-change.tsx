import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { confirmEmailChange, undoEmailChange } from "~/features/account/change-email.server";
import { EMAIL_CHANGED, EMAIL_UNDONE, SENTENCES } from "~/features/auth/copy";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { loadLinkPage, pressedLink } from "~/features/sign-in/link-page.server";
import { LinkCard } from "~/features/sign-in/ui/link-card";
import { redirectWithFlash } from "~/platform/responses.server";

/** The same address takes both links: the one that confirms the new address and the one that brings back the old. */
const TITLES = { confirm: "Confirm your new email address", undo: "Undo the change of your email address" };

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLES[data?.undo ? "undo" : "confirm"], data?.refused ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  const undo = context.request.url.searchParams.has("undo");
  const page = await loadLinkPage(context, undo ? "email_undo" : "email_change");
  return json({ ...(await page.json()), undo });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const undo = context.request.url.searchParams.has("undo");
  const link = await pressedLink(context, request, undo ? "email_undo" : "email_change");
  if (!link) return json({ error: SENTENCES.link_over }, { status: 400 });
  const changed = await (undo ? undoEmailChange : confirmEmailChange)(context, link);
  if (!changed.ok) return json({ error: SENTENCES[changed.code] }, { status: 400 });
  if (undo) return redirectWithFlash(context, "/login?mode=reset", { kind: "success", ...EMAIL_UNDONE });
  const next = changed.staysSignedIn ? "/profile" : "/auth";
  return redirectWithFlash(context, next, { kind: "success", ...EMAIL_CHANGED });
}

export default function EmailChangePage() {
  const { undo, ...page } = useLoaderData<typeof loader>();
  return (
    <LinkCard
      title={TITLES[undo ? "undo" : "confirm"]}
      text={
        undo
          ? "Your old address comes back, and everyone is signed out of your account."
          : "From now on you sign in with the new address. All other sessions are signed out."
      }
      button={undo ? "Undo the change" : "Confirm new address"}
      action={undo ? "/email-change?undo=1" : "/email-change"}
      page={page}
      error={useActionData<typeof action>()?.error}
      otherwise={{ label: "Go to your profile", to: "/profile" }}
    />
  );
}
