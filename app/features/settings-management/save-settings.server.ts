import { sql } from "drizzle-orm";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { ContentGroupId, GroupId } from "~/features/settings/model";
import { publishSettings, saveSetting } from "~/features/settings/publish-settings.server";
import { PUBLIC_KEYS, type SettingKey, type SiteSettings } from "~/features/settings/settings.server";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { FormValues } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { GROUPS, groupVersion, type Inputs, readSettings, shownFields } from "./groups.server";
import { changeTexts, type SettingQuestion } from "./model";

type SettingsChange = {
  id: GroupId | ContentGroupId;
  input: Inputs;
  version: number;
  nonce: string;
  decision: string | undefined;
};

/**
 * Tells what came of a save. `question`: nothing is saved until it is answered. `isPublished`: every page may show it.
 * `values`: what the form shows of what is stored, if nothing was changed.
 */
type Saved = {
  changed: boolean;
  isPublished?: boolean;
  /** Says from when on it counts, if not from now on. */
  countsLater?: string | null;
  question?: SettingQuestion;
  values?: FormValues;
};

/**
 * Saves a group of settings, and publishes what public pages show. What is saved already is not saved again. If
 * somebody has saved meanwhile, nothing is written and the caller gets `settings_changed`. The audit stores the values
 * before and after.
 */
export async function saveSettings(
  ctx: Pick<Ctx, "config" | "db" | "kv" | "log" | "now" | "request" | "setCookie" | "signedIn">,
  actor: StaffActor,
  { id, input, version, nonce, decision }: SettingsChange,
): Promise<Result<Saved, "settings_changed">> {
  const { db } = ctx;
  const group = GROUPS[id];
  const at = ctx.now();
  let saved: Saved = { changed: false };
  const choice = fingerprintOf(JSON.stringify(input));
  const form = { scope: `settings-${id}`, key: nonce, choice };
  const written = await runCommand(ctx, form, {
    read: () => readSettings(db),
    plan: async ({ settings: stored, rows }): Promise<Planned<"settings_changed">> => {
      const nothing = ok({ resultId: id });
      const chosen = group.apply(input, stored, at);
      const isConfirmed = group.confirms === true && !rows.some(({ key }) => group.keys.some((one) => one === key));
      const changed = (Object.keys(chosen) as SettingKey[]).filter(
        (key) => isConfirmed || !isSame(stored[key], chosen[key]),
      );
      const whole = { ...stored, ...chosen };
      const before = group.values(stored);
      const texts = changeTexts(shownFields(group, stored), before, group.values(whole));
      if (isConfirmed && texts.length === 0) texts.push("Confirmed as they are");
      if (texts.length === 0) {
        // Unless the same form, posted at once, has just saved it.
        if (!saved.changed) saved = { changed: false, values: before };
        return nothing;
      }
      const question = (await group.question?.(ctx, stored, whole)) ?? null;
      if (question && !question.choices.some(({ value }) => value === decision)) {
        saved = { changed: false, question };
        return nothing;
      }
      const isPublished = changed.some((key) => PUBLIC_KEYS.some((one) => one === key));
      saved = { changed: true, isPublished, countsLater: group.countsLater?.(whole, at) };
      return ok({
        resultId: id,
        expects: [
          { that: isActiveAdmin(actor.userId), otherwise: "settings_changed" },
          { that: sql`${groupVersion(id)} = ${version}`, otherwise: "settings_changed" },
        ],
        statements: [
          ...changed.map((key) => saveSetting(ctx, key, chosen[key])),
          ...(group.more?.({ db, at, by: actor.userId, decision }) ?? []),
          recordAudit(ctx, group.action ?? "settings.changed", {
            subject: { type: "settings", id, label: null },
            meta: { before: picked(stored, changed), after: picked(chosen, changed), changed: texts },
          }),
        ],
      });
    },
  });
  if (!written.ok) return fail("settings_changed");
  if (saved.isPublished) await publishSettings(ctx);
  return ok(saved);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const picked = (values: Partial<SiteSettings>, keys: readonly SettingKey[]) =>
  Object.fromEntries(keys.map((key) => [key, values[key]]));
