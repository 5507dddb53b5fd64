import { json, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { passwordField, refuseFields, refuseForm } from "~/features/auth/form-errors.server";
import { isTypedAlike, newAccountFields, TYPED_DIFFERENTLY, withEmpty } from "~/features/auth/forms.server";
import { echo, parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { found } from "~/platform/responses.server";
import { createFirstAdmin, hasAdmin } from "./first-admin.server";

const PURPOSE = "setup";
const FIELDS = ["full_name", "email", "password", "confirm_password", "setup_code"];
const SECRETS = ["password", "confirm_password", "setup_code", "form_token"];

const TITLE = "Setup Failed";
const CODE_WRONG = "That is not the setup code of this installation.";

const SetupForm = z
  .object({
    setup_code: z.string().min(1, "Setup code is required"),
    ...newAccountFields,
  })
  .refine(isTypedAlike, TYPED_DIFFERENTLY)
  .transform((form) => ({
    fullName: form.full_name,
    email: form.email,
    password: form.password,
    setupCode: form.setup_code,
  }));

/** Once somebody administers the installation, the page does not exist any more. */
async function expectUnclaimed(ctx: Ctx): Promise<void> {
  found((await hasAdmin(ctx.db)) ? null : true);
}

export async function loadSetupPage(ctx: Ctx) {
  await expectUnclaimed(ctx);
  return json({ token: issueFormToken(ctx, PURPOSE), refused: ctx.request.method === "POST" });
}

/** Claims the installation, and leads to the sign-in screen, which goes on with the second factor. */
export async function answerSetupPage(ctx: Ctx, request: Request) {
  await expectUnclaimed(ctx);
  const { fields } = await readForm(request, { raw: ["password", "confirm_password"] });
  const typed = withEmpty(FIELDS, fields);
  const values = echo(typed, SECRETS);
  const token = checkFormToken(ctx, PURPOSE, fields.form_token);
  if (!token.ok) return refuseForm(ctx, { title: TITLE, refusal: { code: "form_not_accepted" }, values });
  const form = parseForm(SetupForm, typed, SECRETS);
  if (!form.ok) return refuseFields({ title: TITLE, errors: form.errors, values });
  const created = await createFirstAdmin(ctx, form.value);
  if (created.ok) return redirect("/auth", 303);
  const { refusal } = created;
  if (refusal.code === "setup_code_wrong") {
    return refuseFields({ title: TITLE, errors: { setup_code: CODE_WRONG }, values });
  }
  const field = refusal.code === "email_taken" ? "email" : passwordField(refusal.code, "password");
  return refuseForm(ctx, {
    title: TITLE,
    refusal: refusal as Parameters<typeof refuseForm>[1]["refusal"],
    field,
    values,
  });
}
