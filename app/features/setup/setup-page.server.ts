import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound } from "~/platform/route-responses.server";
import { findSetupCode, hasAdmin } from "./first-admin.server";

export const SETUP_PURPOSE = "setup";

/** Throws the 404 response once somebody administers the installation: the page does not exist any more. */
export async function expectUnclaimed(ctx: Pick<Ctx, "db">): Promise<void> {
  orNotFound((await hasAdmin(ctx.db)) ? null : true);
}

/** Loads the data of the page that claims an installation. */
export async function loadSetupPage(ctx: Ctx) {
  await expectUnclaimed(ctx);
  return {
    token: issueFormToken(ctx, SETUP_PURPOSE),
    hasErrors: ctx.form.isRejected,
    command: ctx.config.APP_ENV === "production" ? "npm run setup:code -- --remote [--env NAME]" : "npm run setup:code",
    isCodeIssued: (await findSetupCode(ctx.db)) !== null,
  };
}
