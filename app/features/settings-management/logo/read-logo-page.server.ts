import type { StaffActor } from "~/features/auth/guards.server";
import { requireStepUp } from "~/features/auth/guards.server";
import { logoImage } from "~/features/settings/logo/model";
import { StoredLogo } from "~/features/settings/queries.server";
import type { Ctx } from "~/platform/context.server";
import { formTokens } from "~/platform/form-actions.server";
import { groupPath } from "../model";
import { logoActions } from "./actions.server";
import { findLogo } from "./save-logo.server";

/** Reads the logo for the page that changes it. Asks for a proof of identity first: a file cannot be kept over that. */
export async function readLogoPage(ctx: Ctx, actor: StaffActor) {
  if (ctx.request.method === "GET") await requireStepUp(ctx);
  const { version, logo } = await findLogo(ctx.db);
  const stored = StoredLogo.safeParse(logo);
  return {
    version,
    backTo: groupPath("look"),
    logo: stored.success ? logoImage(stored.data) : null,
    tokens: formTokens(ctx, actor, logoActions),
    hasErrors: ctx.form.isRejected,
  };
}
