import type { FormValues, ValidationError } from "~/lib/form";
import type { ActionResult } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { hasRecentProof, renewSession } from "./confirm-identity.server";
import { TITLES } from "./copy";
import { accountError } from "./form-errors.server";
import { IdentityForm } from "./forms.server";
import { challengeMethod, type IdentityRequest } from "./model";

/** Returns what a form must ask for as a proof of identity: by the method that the address names. Null: nothing. */
export function identityRequest(ctx: Pick<Ctx, "now" | "request">, signedIn: SignedIn): IdentityRequest | null {
  if (hasRecentProof(ctx, signedIn)) return null;
  const { email, mfaEnabled } = signedIn;
  return { email, mfaEnabled, method: challengeMethod(ctx.request.url.searchParams.get("method")) };
}

/**
 * Checks the proof of identity that a form holds where the last one is too old. Returns null if the form may go on,
 * else the form with what is wrong.
 */
export async function missingProof(
  ctx: Ctx,
  signedIn: SignedIn,
  { fields, values }: { fields: FormValues; values?: FormValues },
): Promise<ActionResult<ValidationError> | null> {
  if (hasRecentProof(ctx, signedIn)) return null;
  const proof = await renewSession(ctx, signedIn, IdentityForm.parse(fields));
  return proof.ok ? null : accountError(ctx, { title: TITLES.verification, error: proof.error, values });
}
