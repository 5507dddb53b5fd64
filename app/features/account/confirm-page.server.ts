import { json } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";
import { renewSession } from "~/features/auth/confirm-identity.server";
import { IDENTITY_CONFIRMED, TITLES } from "~/features/auth/copy";
import { refuseForm } from "~/features/auth/form-errors.server";
import { destinationOf, returnPath } from "~/features/auth/model";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { redirectWithFlash } from "~/platform/responses.server";
import {
  ACCOUNT_PURPOSE,
  identityField,
  readAccountForm,
  refuseForeignForm,
  typedIdentity,
} from "./account-form.server";

/** The page that asks for a proof of identity and leads back to where it was missing. */
export function loadConfirmPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const redirectTo = returnPath(query.get("redirectTo"));
  const page = redirectTo ? `/profile/confirm?redirectTo=${encodeURIComponent(redirectTo)}` : "/profile/confirm?";
  const isBackup = query.get("method") === "backup";
  const withBackup = `${page}&method=backup`;
  return json({
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    action: isBackup ? withBackup : page,
    otherMethodTo: isBackup ? page : withBackup,
    method: isBackup ? ("backup" as const) : ("totp" as const),
    email: signedIn.email,
    mfaEnabled: signedIn.mfaEnabled,
    refused: ctx.request.method === "POST",
  });
}

/** Where the person goes on: back to where they came from, if that is theirs to open. */
export async function answerConfirmPage(ctx: Ctx, signedIn: SignedIn, request: Request) {
  const { fields, isOurs } = await readAccountForm(ctx, request);
  if (!isOurs) return refuseForeignForm(ctx);
  const proof = await renewSession(ctx, signedIn, typedIdentity(fields));
  if (!proof.ok) {
    const { refusal } = proof;
    return refuseForm(ctx, { title: TITLES.verification, refusal, field: identityField(refusal.code) });
  }
  const wanted = returnPath(ctx.request.url.searchParams.get("redirectTo")) ?? "/profile";
  const next = destinationOf(signedIn, wanted, brand.domain);
  return redirectWithFlash(ctx, next, { kind: "success", ...IDENTITY_CONFIRMED });
}
