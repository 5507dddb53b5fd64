import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { VIEW_DELETED, VIEW_NOT_SAVED, VIEW_SAVED } from "~/features/workspace/copy";
import { deleteSavedView } from "~/features/workspace/delete-saved-view.server";
import { SavedViewForm } from "~/features/workspace/forms.server";
import { saveView } from "~/features/workspace/save-view.server";
import { parseForm } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { checkFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { redirectWithFlash } from "~/platform/responses.server";

/** The forms of saved views post here; there is nothing to look at. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  return redirect("/admin/submissions");
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const { fields } = await readForm(request);
  const back = safePath(fields.return_to, ["/admin"], "/admin/submissions");
  const token = checkFormToken(context, "saved-view", fields.form_token);
  const input = parseForm(SavedViewForm, fields);
  if (!token.ok || !input.ok) return redirectWithFlash(context, back, { kind: "error", ...VIEW_NOT_SAVED });
  if (input.value.intent === "delete") {
    await deleteSavedView(context, actor, input.value.id);
    return redirectWithFlash(context, back, { kind: "success", ...VIEW_DELETED });
  }
  const { list, name, query, shared } = input.value;
  const nonce = token.value.nonce;
  const saved = await saveView(context, actor, { list, name, query, shared: shared === "on", nonce });
  if (!saved.ok) return redirectWithFlash(context, back, { kind: "error", ...VIEW_NOT_SAVED });
  return redirectWithFlash(context, back, { kind: "success", ...VIEW_SAVED });
}
