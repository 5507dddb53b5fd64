import { type ActionFunctionArgs, type LoaderFunctionArgs, redirectDocument } from "@remix-run/cloudflare";
import { SIGN_OUT_REFUSED, SIGNED_OUT } from "~/features/auth/copy";
import { CLEAR_SITE_DATA, endSession } from "~/features/auth/sessions/end-session.server";
import { setFlash } from "~/platform/flash.server";
import { checkFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";

/** Signing out changes something, so a link or an image cannot do it. */
export function loader(_: LoaderFunctionArgs) {
  return new Response(null, { status: 405, headers: { Allow: "POST" } });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const { fields } = await readForm(request);
  const token = checkFormToken(context, "sign-out", fields.form_token);
  // A page that has been open for days may still sign out; one of another session, or of another site, may not.
  if (context.signedIn && !token.ok && token.code !== "token_expired") {
    setFlash(context, { kind: "error", ...SIGN_OUT_REFUSED });
    return redirectDocument("/", 303);
  }
  await endSession(context);
  setFlash(context, { kind: "success", ...SIGNED_OUT });
  return redirectDocument("/auth", { status: 303, headers: { "Clear-Site-Data": CLEAR_SITE_DATA } });
}
