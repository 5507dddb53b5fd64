import { type ActionFunctionArgs, type LoaderFunctionArgs, redirectDocument } from "@remix-run/cloudflare";
import { samePage } from "~/lib/safe-path";
import { themeFrom } from "~/lib/theme";
import { readForm } from "~/platform/read-form.server";
import { saveTheme } from "~/platform/theme.server";

/** A link chooses nothing. */
export function loader(_: LoaderFunctionArgs) {
  return new Response(null, { status: 405, headers: { Allow: "POST" } });
}

/** Needs no token: the door has seen that the form is ours, and pages that are the same for everyone cannot hold one. */
export async function action({ context, request }: ActionFunctionArgs) {
  const { fields } = await readForm(request);
  const theme = themeFrom(fields.theme);
  if (theme !== fields.theme) return new Response(null, { status: 400 });
  saveTheme(context, theme);
  // Pages read ahead have the theme of before.
  const page = samePage(fields.path, request.headers.get("referer"));
  const headers = { "Clear-Site-Data": '"prefetchCache", "prerenderCache"' };
  return redirectDocument(page, { status: 303, headers });
}
