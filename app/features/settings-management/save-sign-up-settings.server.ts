import { sql } from "drizzle-orm";
import { claimKey, commit, expectThat, findClaim } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isActiveAdmin } from "~/features/user-management/admin-guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { ONLY_EXISTING_ACCOUNTS, POLICY_TEXTS, SIGN_UP_POLICY } from "./copy";
import type { SignUpSettings } from "./model";
import { findSignUpSettings, SIGN_UP_KEYS, signUpVersion } from "./queries.server";

type SignUpChange = SignUpSettings & {
  /** The version that the form has shown. */
  version: number;
  nonce: string;
};

/**
 * Saves how people get in: it counts from the next sign-up and the next invitation on. What is saved already is not
 * saved again. If somebody has saved meanwhile, nothing is written and the caller gets `settings_changed`.
 */
export async function saveSignUpSettings(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  actor: StaffActor,
  { version, nonce, ...after }: SignUpChange,
): Promise<Result<{ changed: boolean }, "settings_changed">> {
  const { db } = ctx;
  const stored = await findSignUpSettings(db);
  const before = { signUpPolicy: stored.signUpPolicy, onlyInviteExistingAccounts: stored.onlyInviteExistingAccounts };
  const changed = SIGN_UP_KEYS.filter((key) => before[key] !== after[key]);
  if (changed.length === 0) return ok({ changed: false });
  const at = ctx.now();
  const written = await commit(db, [
    ...claimKey(db, { key: nonce, scope: "settings-sign-up", resultLocation: "sign-up", at }),
    expectThat(db, isActiveAdmin(actor.userId)),
    expectThat(db, sql`${signUpVersion} = ${version}`),
    ...changed.map((key) => {
      const value = { value_json: JSON.stringify(after[key]), updated_at: at, updated_by: actor.userId };
      return db
        .insert(settings)
        .values({ key, ...value })
        .onConflictDoUpdate({ target: settings.key, set: { ...value, version: sql`${settings.version} + 1` } });
    }),
    recordAudit(ctx, "settings.sign_up_changed", {
      subject: { type: "settings", id: "sign-up", label: null },
      meta: { before, after, changed: changed.map((key) => changeText(key, before, after)) },
    }),
  ]);
  if (written || (await findClaim(db, nonce, "settings-sign-up")) !== null) return ok({ changed: true });
  return fail("settings_changed");
}

/** Returns what the activity says of a changed setting. */
function changeText(key: keyof SignUpSettings, before: SignUpSettings, after: SignUpSettings): string {
  if (key === "onlyInviteExistingAccounts") return `${ONLY_EXISTING_ACCOUNTS}: ${after[key] ? "on" : "off"}`;
  return `${SIGN_UP_POLICY}: ${POLICY_TEXTS[before[key]].label} to ${POLICY_TEXTS[after[key]].label}`;
}
