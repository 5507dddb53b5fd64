import { findEnrollment } from "~/features/auth/factors/enroll-totp.server";
import { mayDisableMfa, mfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import { countBackupCodes, takeShownCodes } from "~/features/auth/factors/prepare-backup-codes.server";
import { returnPath } from "~/features/auth/model";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/** What a person may do to their second factor, by the state it is in. */
const CHANGES = { on: ["reconfigure", "codes", "disable"], off: ["enable"] } as const;
export type FactorChangeName = (typeof CHANGES)["on" | "off"][number];

/** Reads what the page of the second factor shows. */
export async function loadMfaPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const step = query.get("step");
  const allowed: readonly string[] = CHANGES[signedIn.mfaEnabled ? "on" : "off"].filter(
    (change) => change !== "disable" || mayDisableMfa(signedIn),
  );
  const wanted = query.get("do") ?? "";
  const enrollment = step === "setup" ? await findEnrollment(ctx, signedIn) : null;
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    email: signedIn.email,
    isEnabled: signedIn.mfaEnabled,
    /** What has to be said about a factor that is missing. */
    missing: mfaRequirementNotice(signedIn, ctx.now()),
    /** Staff may switch it off, and then have to set it up again before they can work. */
    mayDisable: mayDisableMfa(signedIn),
    codesUnsaved: signedIn.codesUnsaved,
    codesLeft: signedIn.mfaEnabled ? await countBackupCodes(ctx.db, signedIn.userId) : 0,
    change: allowed.includes(wanted) ? (wanted as FactorChangeName) : null,
    method: query.get("method") === "backup" ? ("backup" as const) : ("totp" as const),
    isCodesStep: step === "codes",
    codes: step === "codes" ? takeShownCodes(ctx, signedIn.userId) : null,
    enrollment,
    showsKey: query.get("view") === "key",
    redirectTo: returnPath(query.get("redirectTo")),
    hasErrors: ctx.request.method === "POST",
  };
}
