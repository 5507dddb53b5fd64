import { isStaffRole, isVerifiedStaff } from "~/access/model";
import { mfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeFlash } from "~/platform/flash.server";
import type { WayBack } from "./ui/signed-in-layout";
import { viewerOf } from "./viewer.server";

/** Returns the ways back to the areas that a person may enter: hardly anybody has two. */
const waysBackOf = (signedIn: SignedIn): WayBack[] => [
  ...(isVerifiedStaff(signedIn) ? [{ label: "Back to the admin area", to: ADMIN_HOME_PATH }] : []),
  ...(isStaffRole(signedIn.role) && signedIn.organizations.length === 0
    ? []
    : [{ label: "Back to the client portal", to: PORTAL_HOME_PATH }]),
];

/** Returns what the layout of a signed-in person's pages shows around them. */
export const signedInLayoutData = (ctx: Ctx, signedIn: SignedIn) => ({
  viewer: viewerOf(ctx),
  waysBack: waysBackOf(signedIn),
  flash: takeFlash(ctx),
  codesUnsaved: signedIn.codesUnsaved,
  mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
  year: new Date(ctx.now()).getUTCFullYear(),
});
