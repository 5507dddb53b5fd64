import { type MfaRequirementNotice, mayDisableMfa, mfaRequirementNotice } from "~/features/auth/model";
import { findProfileState, type ProfileState } from "~/features/auth/queries.server";
import { describeError } from "~/lib/describe-error";
import { seconds } from "~/lib/time";
import { type ActionResult, page, unavailable } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

type ProfilePage = {
  token: string;
  fullName: string;
  email: string;
  mfaEnabled: boolean;
  mfaNotice: MfaRequirementNotice | null;
  mayDisable: boolean;
  hasErrors: boolean;
  /** Holds what the forms show; null: it could not be read. */
  state: ProfileState | null;
};

/** Loads the data of the profile page. When it cannot be read, the page says so in place of the forms that need it. */
export async function loadProfilePage(ctx: Ctx, signedIn: SignedIn): Promise<ActionResult<ProfilePage>> {
  const known = {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    fullName: signedIn.fullName,
    email: signedIn.email,
    mfaEnabled: signedIn.mfaEnabled,
    mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
    mayDisable: mayDisableMfa(signedIn),
    hasErrors: ctx.form.isRejected,
  };
  try {
    return page({ ...known, state: await findProfileState(ctx.db, signedIn.userId, ctx.now()) });
  } catch (error) {
    ctx.log("error", { event: "profile_unavailable", request_id: ctx.request.id, error: describeError(error) });
    return unavailable(ctx.now() + seconds(5), { ...known, state: null });
  }
}
