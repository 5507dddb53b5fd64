import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import { getSettings } from "~/features/settings/queries.server";
import type { ValidationError } from "~/lib/form";
import { type ActionResult, conflict, done } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { CLOSURE_REQUESTED, CLOSURE_WITHDRAWN, closureObstacle, NOT_REQUESTED } from "../copy";
import { OWN_DATA_PATH, ownFilePath } from "../model";
import { sendPersonFiles } from "../person/person-files.server";
import { findClosureRequest } from "../queries.server";
import { findObstacle, requestClosure, withdrawClosure } from "./closure.server";

/** Reads what the page of one's own data shows. */
export async function readOwnData(ctx: Ctx, signedIn: SignedIn) {
  const { userId } = signedIn;
  const [requestedAt, obstacle, { timeZone: zone }] = await Promise.all([
    findClosureRequest(ctx.db, userId),
    findObstacle(ctx, userId),
    getSettings(ctx.db),
  ]);
  return {
    requestedAt,
    obstacle: obstacle && { ...obstacle, text: closureObstacle(obstacle.code, obstacle.organizations) },
    zone,
    hasProof: hasRecentProof(ctx, signedIn),
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    hasErrors: ctx.form.isRejected,
  };
}

/**
 * Returns the archive of what a person is and has written, without anything of others. `after`: the place where the
 * archive before it ended.
 */
export function exportOwnData(ctx: Ctx, signedIn: SignedIn, after: string): Promise<ActionResult<never>> {
  const { userId, fullName, email } = signedIn;
  const person = { id: userId, userId, name: fullName, email };
  return sendPersonFiles(ctx, signedIn, person, {
    after,
    page: OWN_DATA_PATH,
    name: "my-data",
    pathAfter: ownFilePath,
  });
}

/** Handles the two buttons of the page: to ask for the account to be closed, and to take that back. */
export const ownDataActions = formActions<SignedIn, null, ValidationError>()({
  close: {
    purpose: ACCOUNT_PURPOSE,
    invalid: invalidForm(NOT_REQUESTED),
    run: async (ctx, signedIn) => {
      const obstacle = await requestClosure(ctx, signedIn);
      if (!obstacle) return done({ to: OWN_DATA_PATH, flash: { kind: "success", ...CLOSURE_REQUESTED } });
      const { code, organizations } = obstacle;
      return conflict({ title: NOT_REQUESTED, errors: { form: closureObstacle(code, organizations) }, values: {} });
    },
  },
  keep: {
    purpose: ACCOUNT_PURPOSE,
    invalid: invalidForm("It was not taken back"),
    run: async (ctx, signedIn) => {
      await withdrawClosure(ctx, signedIn);
      return done({ to: OWN_DATA_PATH, flash: { kind: "success", ...CLOSURE_WITHDRAWN } });
    },
  },
});
