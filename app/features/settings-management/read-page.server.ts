import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { findProfileState } from "~/features/auth/queries.server";
import { readPreferences } from "~/features/notifications/preferences/preferences.server";
import { ORGANIZATIONS_PATH } from "~/features/organizations/subject";
import { EVERYTHING_PATH, PURGE_PATH } from "~/features/privacy/model";
import { submissionList } from "~/features/submissions/list/definition";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { USERS_PATH } from "~/features/users/subject";
import { PRIVACY_PATH } from "~/lib/addresses";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { purposeOf } from "./actions.server";
import { GROUP_LABELS, TAB_LABELS } from "./copy";
import { ACCOUNT_PATH, ADVANCED_PATH, groupPath, groupsOf, SETTINGS_TABS, tabPath } from "./model";
import { groupView, readSettings } from "./read-group.server";

/** Reads the tab that the address names, and of its groups of settings the one of its part. */
export async function readSettingsPage(ctx: Ctx, actor: StaffActor) {
  const params = ctx.request.url.searchParams;
  const tab = SETTINGS_TABS.find((one) => one === params.get("tab")) ?? SETTINGS_TABS[0];
  const groups = groupsOf(tab);
  const id = groups.find((one) => one === params.get("part")) ?? groups[0];
  const isOwn = tab === "account" || tab === "security";
  const [stored, preferences, own] = await Promise.all([
    readSettings(ctx.db),
    tab === "notifications" ? readPreferences(ctx, actor) : null,
    isOwn ? findProfileState(ctx.db, actor.userId, ctx.now()) : null,
  ]);
  return {
    tab,
    tabs: SETTINGS_TABS.map((one) => ({ to: tabPath(one), label: TAB_LABELS[one], current: one === tab })),
    parts: groups.map((one) => ({ to: groupPath(one), label: GROUP_LABELS[one], current: one === id })),
    zone: stored.settings.timeZone,
    group: id ? { ...groupView(stored, id, ctx.now()), token: issueFormToken(ctx, purposeOf(id)) } : null,
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
      everything: EVERYTHING_PATH,
      danger: [
        { label: "Purge old submissions", to: PURGE_PATH },
        { label: "Delete submissions", to: SUBMISSIONS_PATH },
        { label: "Erase a person", to: USERS_PATH },
        { label: "Delete an organization", to: ORGANIZATIONS_PATH },
      ],
    },
    submissionsFile: submissionList.csvPath,
    identity: identityRequest(ctx, actor),
    hasErrors: ctx.form.isRejected,
  };
}
