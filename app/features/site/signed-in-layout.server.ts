import { mfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeFlash } from "~/platform/flash.server";
import { viewerOf } from "./viewer.server";

/** Returns what the layout of a signed-in person's pages shows around them. */
export const signedInLayoutData = (ctx: Ctx, signedIn: SignedIn) => ({
  viewer: viewerOf(ctx),
  flash: takeFlash(ctx),
  codesUnsaved: signedIn.codesUnsaved,
  mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
  year: new Date(ctx.now()).getUTCFullYear(),
});
