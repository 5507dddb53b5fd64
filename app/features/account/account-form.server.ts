import type { TypedIdentity } from "~/features/auth/confirm-identity.server";
import { TITLES } from "~/features/auth/copy";
import { refuseForm } from "~/features/auth/form-errors.server";
import { CodeForm } from "~/features/auth/forms.server";
import { parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { checkFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";

/** One purpose for all forms of the account pages: they are all bound to the session anyway. */
export const ACCOUNT_PURPOSE = "account";

/** Never altered while they are read. */
const PASSWORDS = ["current_password", "new_password", "confirm_password"];

/** Reads a form of the account pages; `token` false means that it was not made by one of them, in this session. */
export async function readAccountForm(ctx: Ctx, request: Request) {
  const { fields } = await readForm(request, { raw: PASSWORDS });
  const token = checkFormToken(ctx, ACCOUNT_PURPOSE, fields.form_token);
  return { fields, isOurs: token.ok };
}

export const refuseForeignForm = (ctx: Ctx) =>
  refuseForm(ctx, { title: TITLES.security, refusal: { code: "form_not_accepted" } });

/** The proof of identity that came with a form, as far as one did. */
export function typedIdentity(fields: Record<string, string>): TypedIdentity {
  const form = parseForm(CodeForm, fields, ["code"]);
  const { code, method } = form.ok ? form.value : { code: "", method: "totp" };
  return {
    password: fields.current_password ?? "",
    code,
    method: method === "backup" ? "backup_code" : "totp",
  };
}

/** At which field of a form a refused proof is said. */
export function identityField(code: string): string {
  if (code.startsWith("current_password")) return "current_password";
  return code.startsWith("code_") ? "code" : "form";
}
