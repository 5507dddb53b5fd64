import * as z from "zod";
import { ACCOUNT_PURPOSE, PASSWORD_FIELDS } from "~/features/account/account-form.server";
import { profileActions } from "~/features/account/profile.server";
import { identityRequest, missingProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { challengeMethod } from "~/features/auth/model";
import { findProfileState } from "~/features/auth/queries.server";
import { mailSetupActions, readMailSetup } from "~/features/mail-setup/setup-page.server";
import { preferenceActions } from "~/features/notifications/actions.server";
import { readPreferences } from "~/features/notifications/preferences.server";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { EVERYTHING_PATH, PURGE_PATH } from "~/features/privacy/model";
import type { ContentGroupId, GroupId } from "~/features/settings/model";
import { CONTENT_PATH, MAIL_SETUP_PART, MAIL_SETUP_PATH } from "~/features/settings/paths";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { submissionList } from "~/features/submissions/list/definition";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { USERS_PATH } from "~/features/users/model";
import { IMPORT_PATH, PRIVACY_PATH } from "~/lib/addresses";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { type FormValues, withoutSecrets } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, versionField } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, conflict, done, invalid, mapBody, page } from "~/platform/responses.server";
import { GROUPS, groupView, type Inputs, readSettings } from "./groups.server";
import {
  CONTENT_LABEL,
  ERROR,
  GENERAL_LIST,
  GROUP_LABELS,
  MAIL_SETUP_LABEL,
  ONE_QUESTION,
  SETTINGS_CHANGED_MEANWHILE,
  SETTINGS_NOT_SAVED,
  SETTINGS_SAVED,
  SETTINGS_TAB_LABELS,
  SETTINGS_UNCHANGED,
} from "./labels";
import {
  ACCOUNT_PATH,
  ADVANCED_PATH,
  changedFields,
  GROUP_IDS,
  groupPath,
  groupsOf,
  SETTINGS_TABS,
  type SettingsError,
  tabPath,
  valueText,
} from "./model";
import { saveSettings } from "./save-settings.server";

const GENERAL_PAGES = { [CONTENT_LABEL]: CONTENT_PATH, [MAIL_SETUP_LABEL]: MAIL_SETUP_PATH } as const;

/** `under`: the heading that a part stands under. */
export const generalParts = (current: string | undefined) =>
  GENERAL_LIST.flatMap(([under, parts]) =>
    parts.map((one) => ({
      ...(one === CONTENT_LABEL || one === MAIL_SETUP_LABEL
        ? { to: GENERAL_PAGES[one], label: one }
        : { to: groupPath(one), label: GROUP_LABELS[one] }),
      current: one === current,
      under,
    })),
  );

export async function readSettingsPage(ctx: Ctx, actor: StaffActor) {
  const params = ctx.request.url.searchParams;
  const { tab, part } = placeOf(params);
  const groups = groupsOf(tab);
  const isMailSetup = tab === "general" && part === MAIL_SETUP_PART;
  const id = isMailSetup ? undefined : (groups.find((one) => one === part) ?? groups[0]);
  const isOwn = tab === "account" || tab === "security";
  const [stored, mailSetup, preferences, own] = await Promise.all([
    readSettings(ctx.db),
    isMailSetup ? readMailSetup(ctx, actor) : null,
    tab === "notifications" ? readPreferences(ctx, actor) : null,
    isOwn ? findProfileState(ctx.db, actor.userId, ctx.now()) : null,
  ]);
  return {
    tab,
    tabs: SETTINGS_TABS.map((one) => ({ to: tabPath(one), label: SETTINGS_TAB_LABELS[one], current: one === tab })),
    parts:
      tab === "general"
        ? generalParts(isMailSetup ? MAIL_SETUP_LABEL : id)
        : groups.map((one) => ({ to: groupPath(one), label: GROUP_LABELS[one], current: one === id, under: null })),
    zone: stored.settings.timeZone,
    isFirstHour: stored.settings.firstHourDoneAt === null,
    group: id ? { ...groupView(stored, id, ctx.now()), token: issueFormToken(ctx, groupPurpose(id)) } : null,
    mailSetup,
    preferences: preferences && { ...preferences, token: issueFormToken(ctx, ACCOUNT_PURPOSE) },
    own: own && {
      ...own,
      token: issueFormToken(ctx, ACCOUNT_PURPOSE),
      fullName: actor.fullName,
      email: actor.email,
      mfaEnabled: actor.mfaEnabled,
    },
    links: {
      account: ACCOUNT_PATH,
      notifications: tabPath("notifications"),
      advanced: ADVANCED_PATH,
      privacy: PRIVACY_PATH,
      moveIn: IMPORT_PATH,
      everything: EVERYTHING_PATH,
      danger: [
        { label: "Purge old submissions", to: PURGE_PATH },
        { label: "Delete submissions", to: SUBMISSIONS_PATH },
        { label: "Erase a person", to: USERS_PATH },
        { label: "Delete an organization", to: ORGANIZATIONS_PATH },
      ],
    },
    submissionsFile: submissionList.csvPath,
    hasErrors: ctx.form.isRejected,
  };
}

/** Links of former mails name the set-up of mail as a tab. */
const placeOf = (params: URLSearchParams) =>
  params.get("tab") === "mail"
    ? { tab: "general" as const, part: MAIL_SETUP_PART }
    : { tab: SETTINGS_TABS.find((one) => one === params.get("tab")) ?? SETTINGS_TABS[0], part: params.get("part") };

type SettingsResult = ActionResult<SettingsError>;
type SettingsAction<Input> = FormAction<StaffActor, null, SettingsError, Input>;

export const SECRETS = [...PASSWORD_FIELDS, "code", "method", "other_method"];

const Version = z.object({
  version: versionField,
});

export const groupPurpose = (id: GroupId | ContentGroupId): string => `settings-${id}`;

/** Returns the action of a group's form. A preview changes nothing, and asks for nothing. */
export const groupAction = (id: GroupId | ContentGroupId): SettingsAction<[{ version: number }, Inputs]> => ({
  ability: "settings.change",
  purpose: groupPurpose(id),
  form: z.unknown().transform((fields, issues) => {
    const read = [Version.safeParse(fields), GROUPS[id].form.safeParse(fields)] as const;
    const [version, input] = read;
    if (version.success && input.success) return [version.data, input.data] as [{ version: number }, Inputs];
    for (const { error } of read) for (const issue of error?.issues ?? []) issues.addIssue({ ...issue });
    return z.NEVER;
  }),
  failed: SETTINGS_NOT_SAVED,
  invalid: ({ values, ...problem }) =>
    invalid({
      title: ERROR,
      errors: { form: SETTINGS_NOT_SAVED, ...(problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors) },
      values,
    }),
  run: async (ctx, actor, { input: [{ version }, input], nonce, fields }) => {
    const values = withoutSecrets(fields, [...SECRETS, "form_token", "preview"]);
    if (fields.fill || fields.preview) return filledForm(ctx, id, values);
    const unproven = await askForProof(ctx, actor, { fields, values });
    if (unproven) return unproven;
    const saved = await saveSettings(ctx, actor, { id, input, version, nonce, decision: fields.decision });
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

/** Fills fields as a button of the form says. Nothing is saved, so nothing is asked. */
function filledForm(
  { now, newToken }: Pick<Ctx, "now" | "newToken">,
  id: GroupId | ContentGroupId,
  typed: FormValues,
): SettingsResult {
  const { fill, form, apply, preview } = GROUPS[id];
  const { fill: _, ...values } = { ...typed, ...fill?.(typed) };
  const read = form.safeParse(values);
  const shown = read.success ? { ...DEFAULT_SETTINGS, ...apply(read.data, DEFAULT_SETTINGS, now()) } : null;
  return page({ title: "", errors: {}, values, filled: newToken(), preview: shown && preview?.(shown) });
}

/** Asks for password and code once the form is sent, where the last proof of identity is too old. Null: it may go. */
async function askForProof(
  ctx: Ctx,
  actor: StaffActor,
  { fields, values }: { fields: FormValues; values: FormValues },
): Promise<SettingsResult | null> {
  const asked = identityRequest(ctx, actor);
  if (!asked) return null;
  const { current_password, other_method } = fields;
  const identity = { ...asked, method: challengeMethod(other_method ?? fields.method ?? null) };
  if (current_password === undefined || other_method !== undefined)
    return page({ title: ONE_QUESTION, errors: {}, values, identity });
  const unproven = await missingProof(ctx, actor, { fields, values });
  return unproven && mapBody(unproven, (problem) => ({ ...problem, identity }));
}

/** Keeps what was typed, and shows beside it what is stored now. Saved again, the form has the version of now. */
async function changedMeanwhile(
  ctx: Pick<Ctx, "db" | "now">,
  id: GroupId | ContentGroupId,
  typed: FormValues,
): Promise<SettingsResult> {
  const { fields, values: now, version } = groupView(await readSettings(ctx.db), id, ctx.now());
  const stored = changedFields(fields, now, typed).map((field) => ({
    label: field.label,
    value: valueText(field, now[field.name] ?? ""),
  }));
  const values = { ...typed, version: String(version) };
  return conflict({ title: ERROR, errors: { form: SETTINGS_CHANGED_MEANWHILE }, values, stored });
}

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

export const settingsActions = formActions<StaffActor, null, SettingsError>({
  reading: {
    raw: PASSWORD_FIELDS,
    joined: GROUPS.hours.fields.flatMap(({ name, kind }) => (kind === "times" || kind === "days" ? name : [])),
  },
  secrets: SECRETS,
})({
  ...groupActions,
  ...mailSetupActions,
  details: ownAccount(profileActions.actions.details),
  password: ownAccount(profileActions.actions.password),
  save: ownAccount(preferenceActions.actions.save, tabPath("notifications")),
});
