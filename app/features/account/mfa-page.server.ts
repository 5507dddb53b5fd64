import { json, redirect } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";
import { commit } from "~/db/client.server";
import { accountOf, renewSession } from "~/features/auth/confirm-identity.server";
import { CODES_RENEWED, MFA_DISABLED, SETUP_COMPLETE, TITLES } from "~/features/auth/copy";
import { disableTotp, type FactorRemoval } from "~/features/auth/factors/disable-totp.server";
import { beginEnrollment, completeEnrollment, findEnrollment } from "~/features/auth/factors/enroll-totp.server";
import { mayDisableMfa, mfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import { countBackupCodes, takeShownCodes } from "~/features/auth/factors/prepare-backup-codes.server";
import { confirmCodesSaved, renewBackupCodes } from "~/features/auth/factors/renew-backup-codes.server";
import { refuseForm } from "~/features/auth/form-errors.server";
import { requireStepUp } from "~/features/auth/guards.server";
import { destinationOf, returnPath } from "~/features/auth/model";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limit.server";
import { redirectWithFlash } from "~/platform/responses.server";
import {
  ACCOUNT_PURPOSE,
  identityField,
  readAccountForm,
  refuseForeignForm,
  typedIdentity,
} from "./account-form.server";

const PAGE = "/profile/mfa";
const SETUP = `${PAGE}?step=setup`;
const CODES = `${PAGE}?step=codes`;

/** What a person may do to their second factor, by the state it is in. */
const CHANGES = { on: ["reconfigure", "codes", "disable"], off: ["enable"] } as const;
export type FactorChangeName = (typeof CHANGES)["on" | "off"][number];

/** What the page of the second factor shows. */
export async function loadMfaPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const step = query.get("step");
  const allowed: readonly string[] = CHANGES[signedIn.mfaEnabled ? "on" : "off"].filter(
    (change) => change !== "disable" || mayDisableMfa(signedIn),
  );
  const wanted = query.get("do") ?? "";
  const enrollment = step === "setup" ? await findEnrollment(ctx, signedIn) : null;
  return json({
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
    refused: ctx.request.method === "POST",
  });
}

type Fields = Record<string, string>;
type Handler = (ctx: Ctx, signedIn: SignedIn, fields: Fields) => Promise<Answer>;
type Answer = ReturnType<typeof refuseForm> | ReturnType<typeof redirectWithFlash>;

const INTENTS = new Map<string, Handler>([
  ["enable", begin],
  ["reconfigure", begin],
  ["verify-setup", finish],
  ["codes", renewCodes],
  ["disable", disable],
  ["complete", complete],
]);

/** Takes a form of the page. Changes that must be confirmed carry password and code with them. */
export async function answerMfaPage(ctx: Ctx, signedIn: SignedIn, request: Request): Promise<Answer> {
  const { fields, isOurs } = await readAccountForm(ctx, request);
  const handler = INTENTS.get(fields.intent ?? "");
  if (!handler || !isOurs) return refuseForeignForm(ctx);
  return handler(ctx, signedIn, fields);
}

function refuse(ctx: Ctx, title: string, proof: Extract<FactorRemoval, { ok: false }>) {
  return refuseForm(ctx, { title, refusal: proof.refusal, field: identityField(proof.refusal.code) });
}

async function begin(ctx: Ctx, signedIn: SignedIn, fields: Fields): Promise<Answer> {
  const proof = await renewSession(ctx, signedIn, typedIdentity(fields));
  if (!proof.ok) return refuse(ctx, TITLES.setup, proof);
  await commit(ctx.db, [beginEnrollment(ctx, signedIn.userId)]);
  return redirect(SETUP, 303);
}

async function finish(ctx: Ctx, _signedIn: SignedIn, fields: Fields): Promise<Answer> {
  const signedIn = await requireStepUp(ctx);
  const { code } = typedIdentity(fields);
  if (code !== "") {
    const limit = await takeLimit(ctx.db, "mfa", signedIn.userId, ctx.now());
    if (!limit.allowed) {
      return refuseForm(ctx, {
        title: TITLES.setup,
        refusal: { code: "too_many_attempts", retryAt: limit.retryAt },
      });
    }
  }
  const done = await completeEnrollment(ctx, { person: await accountOf(ctx, signedIn), code });
  if (done.ok) return redirect(CODES, 303);
  const title = done.code === "enrollment_code_missing" ? TITLES.verification : TITLES.setup;
  const field = done.code === "enrollment_over" ? "form" : "code";
  return refuseForm(ctx, { title, refusal: { code: done.code }, field });
}

async function renewCodes(ctx: Ctx, signedIn: SignedIn, fields: Fields): Promise<Answer> {
  const proof = await renewBackupCodes(ctx, signedIn, typedIdentity(fields));
  if (!proof.ok) return refuse(ctx, TITLES.codes, proof);
  return redirectWithFlash(ctx, CODES, { kind: "success", ...CODES_RENEWED });
}

async function disable(ctx: Ctx, signedIn: SignedIn, fields: Fields): Promise<Answer> {
  const proof = await disableTotp(ctx, signedIn, typedIdentity(fields));
  if (!proof.ok) return refuse(ctx, TITLES.disable, proof);
  return redirectWithFlash(ctx, PAGE, { kind: "success", ...MFA_DISABLED });
}

async function complete(ctx: Ctx, signedIn: SignedIn, fields: Fields): Promise<Answer> {
  await confirmCodesSaved(ctx, signedIn.userId);
  const redirectTo = returnPath(fields.redirectTo);
  const next = redirectTo ? destinationOf(signedIn, redirectTo, brand.domain) : PAGE;
  return redirectWithFlash(ctx, next, { kind: "success", ...SETUP_COMPLETE });
}
