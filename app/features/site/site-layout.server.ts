import * as z from "zod";
import { isStaffRole } from "~/access/model";
import { mfaRequirementNotice } from "~/features/auth/model";
import { ownPagePath } from "~/lib/safe-path";
import { THEMES } from "~/lib/theme";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { saveTheme } from "~/platform/cookies.server";
import { takeFlash } from "~/platform/flash.server";
import { formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { badRequest, done } from "~/platform/responses.server";
import type { Viewer } from "./site-layout";

export function siteViewerOf(ctx: Pick<Ctx, "config" | "now" | "newToken" | "signedIn">): Viewer | null {
  const { signedIn } = ctx;
  if (!signedIn) return null;
  const isStaff = signedIn.role !== "user" && signedIn.aal === 2;
  return { name: signedIn.fullName, isStaff, signOutToken: issueFormToken(ctx, "sign-out") };
}

/** Returns what the frame of the personal pages shows to people who can see neither area. */
export const signedInLayoutData = (ctx: Ctx, signedIn: SignedIn) => ({
  viewer: siteViewerOf(ctx),
  /** Clients are led back to the portal, which says what is missing. */
  hasPortal: !isStaffRole(signedIn.role),
  flash: takeFlash(ctx),
  codesUnsaved: signedIn.codesUnsaved,
  mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
  year: new Date(ctx.now()).getUTCFullYear(),
});

const ThemeForm = z.object({ theme: z.enum(THEMES), path: z.string().optional() });

export const themeActions = formActions<null, { referrer: string | null }, never>({ intentField: null })({
  choose: {
    // The ingress checks have seen that the form is ours, and pages that are the same for everyone cannot hold a token.
    purpose: null,
    form: ThemeForm,
    invalid: badRequest,
    run: (ctx, _actor, { input, params }) => {
      saveTheme(ctx, input.theme);
      return done({
        to: ownPagePath(input.path, params.referrer),
        newDocument: true,
        // Prefetched and prerendered pages have the previous theme.
        clearSiteData: '"prefetchCache", "prerenderCache"',
      });
    },
  },
});
