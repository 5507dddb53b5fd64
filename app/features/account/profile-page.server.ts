import { json } from "@remix-run/cloudflare";
import * as z from "zod";
import { PASSWORD_CHANGED, TITLES } from "~/features/auth/copy";
import { mfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import { type AccountRefusal, passwordField, refuseForm } from "~/features/auth/form-errors.server";
import { EmailField, FullNameField, withEmpty } from "~/features/auth/forms.server";
import { changePassword } from "~/features/auth/passwords/set-password.server";
import { findPendingEmail } from "~/features/auth/queries.server";
import { echo, parseForm } from "~/lib/form";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type Refusal, redirectWithFlash } from "~/platform/responses.server";
import { ACCOUNT_PURPOSE, identityField, readAccountForm, typedIdentity } from "./account-form.server";
import { saveProfile } from "./save-profile.server";

const DetailsForm = z
  .object({ full_name: FullNameField, email: EmailField })
  .transform((form) => ({ fullName: form.full_name, email: form.email }));

/** Fewer than these are refused in words of their own, before the policy speaks. */
const FAR_TOO_SHORT = 6;

/** Which of the two forms of the page was refused, and whether the first one must ask for a proof of identity. */
export type ProfileRefusal = Refusal & { form: "details" | "password"; needsProof?: boolean };

export async function loadProfilePage(ctx: Ctx, signedIn: SignedIn) {
  return json({
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    fullName: signedIn.fullName,
    email: signedIn.email,
    pendingEmail: await findPendingEmail(ctx.db, signedIn.userId, ctx.now()),
    mfaEnabled: signedIn.mfaEnabled,
    missing: mfaRequirementNotice(signedIn, ctx.now()),
    refused: ctx.request.method === "POST",
  });
}

/** Takes one of the two forms of the page. */
export async function answerProfilePage(ctx: Ctx, signedIn: SignedIn, request: Request) {
  const { fields, isOurs } = await readAccountForm(ctx, request);
  const form = fields.intent === "password" ? "password" : "details";
  const refuse = answering(ctx, form, echo(fields, [...SECRETS]));
  if (!isOurs) return refuse(TITLES.security, { code: "form_not_accepted" }, "form");
  return form === "password" ? savePassword(ctx, signedIn, fields, refuse) : saveDetails(ctx, signedIn, fields, refuse);
}

const SECRETS = ["current_password", "new_password", "confirm_password", "code", "form_token", "intent"];

type Refuse = ReturnType<typeof answering>;
type Fields = Record<string, string>;

const answering =
  (ctx: Ctx, form: ProfileRefusal["form"], values: Fields) =>
  async (title: string, refusal: AccountRefusal, field: string, needsProof = false) => {
    const answer = refuseForm(ctx, { title, refusal, field, values });
    const body: ProfileRefusal = { ...((await answer.json()) as Refusal), form, needsProof };
    return json(body, { status: answer.status, headers: answer.headers });
  };

async function saveDetails(ctx: Ctx, signedIn: SignedIn, fields: Fields, refuse: Refuse) {
  const parsed = parseForm(DetailsForm, withEmpty(["full_name", "email"], fields), SECRETS);
  if (!parsed.ok) {
    const body: ProfileRefusal = {
      title: TITLES.validation,
      errors: parsed.errors,
      values: echo(fields, SECRETS),
      form: "details",
    };
    return json(body, { status: 400 });
  }
  const saved = await saveProfile(ctx, signedIn, parsed.value, typedIdentity(fields));
  if (saved.ok) return redirectWithFlash(ctx, "/profile", saved.pending ? PENDING : SAVED);
  const { refusal } = saved;
  if (refusal.code === "proof") return refuse(PROOF_TITLE, { code: "current_password_missing" }, "form", true);
  const field = refusal.code === "mails_too_many" ? "email" : detailsField(identityField(refusal.code));
  return refuse(NOT_SAVED, refusal, field, refusal.code !== "mails_too_many");
}

const SAVED = { kind: "success", title: "Success", message: "Profile updated successfully" } as const;
const PENDING = {
  kind: "info",
  title: "Partial Success",
  message: "Profile updated but email change requires verification. Check your inbox.",
} as const;
const NOT_SAVED = "Failed to update profile";
const PROOF_TITLE = "Confirm it's you to change your email address";

/** Both forms of the page ask for the current password; the ids of this one's fields say which. */
const detailsField = (field: string) => (field === "form" || field === "email" ? field : `details_${field}`);

async function savePassword(ctx: Ctx, signedIn: SignedIn, fields: Fields, refuse: Refuse) {
  const { current_password = "", new_password = "", confirm_password = "" } = fields;
  const title = "Failed to change password";
  if (new_password !== confirm_password) return refuse(title, { code: "new_passwords_differ" }, "confirm_password");
  if ([...new_password.normalize("NFKC")].length < FAR_TOO_SHORT) {
    return refuse(title, { code: "password_far_too_short" }, "new_password");
  }
  const change = { current: current_password, next: new_password, staySignedIn: true };
  const changed = await changePassword(ctx, signedIn, change);
  if (changed.ok) return redirectWithFlash(ctx, "/profile#password", { kind: "success", ...PASSWORD_CHANGED });
  return refuse(title, changed.refusal, passwordField(changed.refusal.code, "new_password"));
}
