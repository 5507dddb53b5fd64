import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import type { Viewer } from "./ui/site-header";

/** Returns who is signed in, as far as the site's header shows it. */
export function viewerOf(ctx: Pick<Ctx, "config" | "now" | "newToken" | "signedIn">): Viewer | null {
  const { signedIn } = ctx;
  if (!signedIn) return null;
  const isStaff = signedIn.role !== "user" && signedIn.aal === 2;
  return { name: signedIn.fullName, isStaff, signOutToken: issueFormToken(ctx, "sign-out") };
}
