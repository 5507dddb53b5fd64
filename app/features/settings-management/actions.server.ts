import * as z from "zod";
import { PASSWORD_FIELDS } from "~/features/account/account-form.server";
import { profileActions } from "~/features/account/profile-actions.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { preferenceActions } from "~/features/notifications/preferences/actions.server";
import { describeError } from "~/lib/describe-error";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { type FormValues, withoutSecrets } from "~/lib/form";
import { seconds } from "~/lib/time";
import { type ActionResult, conflict, done, invalid, page, unavailable } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions } from "~/platform/form-actions.server";
import { changedFields, valueText } from "./changed-fields";
import { CHANGED_MEANWHILE, ERROR, NOT_SAVED, ONE_QUESTION, SETTINGS_SAVED, SETTINGS_UNCHANGED } from "./copy";
import { GROUPS } from "./groups.server";
import { ACCOUNT_PATH, GROUP_IDS, type GroupId, groupPath, type SettingsError, tabPath } from "./model";
import { groupView, readSettings } from "./read-group.server";
import { saveSettings } from "./save-settings.server";

type SettingsResult = ActionResult<SettingsError>;
type SettingsAction<Input> = FormAction<StaffActor, null, SettingsError, Input>;

const SECRETS = [...PASSWORD_FIELDS, "code"];

const Version = z.object({
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/** Returns the purpose for which the token of a group's form is signed. */
export const purposeOf = (id: GroupId): string => `settings-${id}`;

/** Returns the action of a group's form. It takes password and code if the last proof of identity is old. */
const groupAction = (id: GroupId): SettingsAction<[{ version: number }, unknown]> => ({
  ability: "settings.change",
  purpose: purposeOf(id),
  form: z.unknown().transform((fields, issues) => {
    const read = [Version.safeParse(fields), GROUPS[id].form.safeParse(fields)] as const;
    const [version, input] = read;
    if (version.success && input.success) return [version.data, input.data] as [{ version: number }, unknown];
    for (const { error } of read) for (const issue of error?.issues ?? []) issues.addIssue({ ...issue });
    return z.NEVER;
  }),
  invalid: ({ values, ...problem }) =>
    invalid({
      title: ERROR,
      errors: { form: NOT_SAVED, ...(problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors) },
      values,
    }),
  run: async (ctx, actor, { input: [{ version }, input], nonce, fields }) => {
    const values = withoutSecrets(fields, [...SECRETS, "form_token"]);
    const unproven = await missingProof(ctx, actor, { fields, values });
    if (unproven) return unproven;
    const saved = await saveSettings(ctx, actor, { id, input, version, nonce, decision: fields.decision }).catch(
      (error: unknown) => {
        ctx.log("error", { event: "settings_not_saved", request_id: ctx.request.id, error: describeError(error) });
        return null;
      },
    );
    if (!saved) return unavailable(ctx.now() + seconds(5), { title: ERROR, errors: { form: NOT_SAVED }, values });
    if (!saved.ok) return changedMeanwhile(ctx, id, values);
    const { changed, isPublished, countsLater, question, values: stored = {} } = saved.value;
    if (question) return page({ title: ONE_QUESTION, errors: {}, values, question });
    const message = changed
      ? { ...SETTINGS_SAVED, ...(countsLater ? { message: countsLater } : {}) }
      : SETTINGS_UNCHANGED;
    // The page is loaded as a whole where name and look around it have changed, and where a field was emptied for which
    // a text of our own is shown: it stands in the field again.
    const isEmptied = GROUPS[id].fields.some(({ name }) => stored[name] && !values[name]?.trim());
    const more = changed ? { newDocument: isPublished } : { unchanged: true as const, newDocument: isEmptied };
    return done({ to: groupPath(id), flash: { kind: changed ? "success" : "info", ...message }, ...more });
  },
});

/** Keeps what was typed, and shows beside it what is stored now. Saved again, the form has the version of now. */
async function changedMeanwhile(ctx: Pick<Ctx, "db" | "now">, id: GroupId, typed: FormValues): Promise<SettingsResult> {
  const { fields, values: now, version } = groupView(await readSettings(ctx.db), id, ctx.now());
  const stored = changedFields(fields, now, typed).map((field) => ({
    label: field.label,
    value: valueText(field, now[field.name] ?? ""),
  }));
  const values = { ...typed, version: String(version) };
  return conflict({ title: ERROR, errors: { form: CHANGED_MEANWHILE }, values, stored });
}

/** Returns a form of the person's own profile, which leads back to the settings. */
const ownAccount = <Input>(
  action: FormAction<StaffActor, null, SettingsError, Input>,
  page = ACCOUNT_PATH,
): SettingsAction<Input> => ({
  ...action,
  run: async (...given) => {
    const result = await action.run(...given);
    return result.outcome === "done" ? { ...result, to: page } : result;
  },
});

const groupActions = Object.fromEntries(GROUP_IDS.map((id) => [id, groupAction(id)])) as Record<
  GroupId,
  SettingsAction<unknown>
>;

/** Handles the forms of the settings. */
export const settingsActions = formActions<StaffActor, null, SettingsError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: SECRETS,
})({
  ...groupActions,
  details: ownAccount(profileActions.actions.details),
  password: ownAccount(profileActions.actions.password),
  save: ownAccount(preferenceActions.actions.save, tabPath("notifications")),
});
