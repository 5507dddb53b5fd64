import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { commit, type Db, expectChange, expectNoRow, isDuplicate } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { settings } from "~/db/schema/site";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { startChallenge } from "~/features/auth/factor-commands.server";
import {
  accountError,
  isPasswordTyped,
  NOT_REPEATED,
  newAccountFields,
  PASSWORDS_DIFFER,
  passwordsMatch,
} from "~/features/auth/forms.server";
import { SENTENCES } from "~/features/auth/labels";
import type { PasswordFlaw, ProvenPerson } from "~/features/auth/model";
import { hashNewPassword, passwordFlaw } from "~/features/auth/passwords.server";
import { nameColumns, userSubject } from "~/features/users/model";
import { FIRST_HOUR_PATH, STAFF_SIGN_IN_PATH, withParams } from "~/lib/addresses";
import { absentAsEmpty, type ValidationError, withoutSecrets } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { isDeployed } from "~/platform/env.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { done, invalid, orNotFound } from "~/platform/responses.server";

/** `scripts/lib/setup-code.mjs` stores the hash of the setup code under it. */
const CODE_KEY = "setup_code_hash";

type FirstAdminError =
  | { code: PasswordFlaw | "email_taken" }
  | { code: "setup_code_missing" }
  | { code: "setup_code_wrong" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

/** As long as there is none, the installation can be claimed with the setup code. */
async function hasAdmin(db: Db): Promise<boolean> {
  const rows = await db.select({ id: userRoles.user_id }).from(userRoles).where(eq(userRoles.role, "admin")).limit(1);
  return rows.length > 0;
}

/** Null when none has been issued. */
async function findSetupCode(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, CODE_KEY))
    .limit(1);
  return row?.value ?? null;
}

/**
 * One batch checks that there is no administrator, consumes the setup code and inserts the account, so of several
 * parallel posts only one succeeds. There is no session before the second factor.
 */
async function createFirstAdmin(
  ctx: Ctx,
  { fullName, email, password, setupCode }: { fullName: string; email: string; password: string; setupCode: string },
): Promise<{ ok: true } | { ok: false; error: FirstAdminError }> {
  const now = ctx.now();
  const limit = await takeLimit(ctx.db, "setup_ip", ctx.request.network, now);
  if (!limit.allowed) return { ok: false, error: { code: "too_many_attempts", retryAt: limit.retryAt } };
  const flaw = await passwordFlaw(ctx, password, email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const typed = JSON.stringify(hashToken(setupCode.trim()));
  const issued = await findSetupCode(ctx.db);
  if (issued === null) return { ok: false, error: { code: "setup_code_missing" } };
  if (issued !== typed) return { ok: false, error: { code: "setup_code_wrong" } };

  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  const id = ctx.newId("usr");
  const isNew = { epoch: 0, mfaEnabled: false, mfaRequiredSince: null };
  const person: ProvenPerson = { userId: id, email, fullName, role: "admin", ...isNew };
  const account = { id, email, ...nameColumns(fullName), password_hash: hashed.hash, status: "active" as const };
  try {
    const created = await commit(ctx.db, [
      expectNoRow(ctx.db, userRoles, eq(userRoles.role, "admin")),
      ctx.db.delete(settings).where(and(eq(settings.key, CODE_KEY), eq(settings.value_json, typed))),
      expectChange(ctx.db),
      ctx.db.insert(users).values({ ...account, created_at: now, updated_at: now }),
      ctx.db.insert(userRoles).values({ user_id: id, role: "admin" }),
      recordAudit(ctx, "user.first_admin_created", {
        subject: userSubject(person),
        actor: toAuditActor(person),
      }),
    ]);
    if (!created) return { ok: false, error: { code: "setup_code_wrong" } };
  } catch (error) {
    if (isDuplicate(error, "users.email")) return { ok: false, error: { code: "email_taken" } };
    throw error;
  }
  await startChallenge(ctx, person, { kind: "setup", redirectTo: FIRST_HOUR_PATH });
  return { ok: true };
}

const SETUP_PURPOSE = "setup";
const SETUP_PATH = "/setup";

/** The page does not exist any more once somebody administers the installation. */
export async function expectNotSetUp(ctx: Pick<Ctx, "db">): Promise<void> {
  orNotFound((await hasAdmin(ctx.db)) ? null : true);
}

/**
 * Returns where the site is set up, to whoever opens one of its pages with the setup code in the address. Null for
 * everyone else, and once there is an administrator.
 */
export async function setupInvitation({ db, request }: Pick<Ctx, "db" | "request">): Promise<string | null> {
  const code = request.url.searchParams.get("code");
  if (!code || (await findSetupCode(db)) !== JSON.stringify(hashToken(code)) || (await hasAdmin(db))) return null;
  return withParams(SETUP_PATH, { code });
}

export async function loadSetupPage(ctx: Ctx) {
  await expectNotSetUp(ctx);
  return {
    /** That of the address. */
    code: ctx.request.url.searchParams.get("code") ?? "",
    token: issueFormToken(ctx, SETUP_PURPOSE),
    hasErrors: ctx.form.isRejected,
    command: isDeployed(ctx.config) ? "npm run setup:code -- --remote [--env NAME]" : "npm run setup:code",
    isCodeIssued: (await findSetupCode(ctx.db)) !== null,
  };
}

const TITLE = "Setup Failed";

/** How to get another one stands beside the field. */
const CODE_ERRORS = {
  setup_code_missing: "No setup code has been issued yet",
  setup_code_wrong: "That is not the setup code of this installation: only the newest one works",
};
const SECRETS = ["password", "confirm_password", "setup_code"];

const SetupForm = absentAsEmpty(
  ["setup_code", ...Object.keys(newAccountFields)],
  z
    .object({
      setup_code: z.string().min(1, "Setup code is required"),
      ...newAccountFields,
    })
    .refine(passwordsMatch, PASSWORDS_DIFFER)
    .refine(isPasswordTyped, NOT_REPEATED)
    .transform((form) => ({
      fullName: form.full_name,
      email: form.email,
      password: form.password,
      setupCode: form.setup_code,
    })),
);

export const setupActions = formActions<null, null, ValidationError>({
  reading: { raw: ["password", "confirm_password"] },
  secrets: SECRETS,
  intentField: null,
})({
  claim: {
    purpose: SETUP_PURPOSE,
    failed: "An error occurred during setup",
    form: SetupForm,
    invalid: invalidForm(TITLE, SENTENCES.form_not_accepted),
    run: async (ctx, _actor, { input, fields }) => {
      const created = await createFirstAdmin(ctx, input);
      if (created.ok) return done({ to: STAFF_SIGN_IN_PATH });
      const values = withoutSecrets(fields, [...SECRETS, "form_token"]);
      const { error } = created;
      if (error.code === "setup_code_missing" || error.code === "setup_code_wrong") {
        return invalid({ title: TITLE, errors: { setup_code: CODE_ERRORS[error.code] }, values });
      }
      return accountError(ctx, { title: TITLE, error, values, ids: { new_password: "password" } });
    },
  },
});
