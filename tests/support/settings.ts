import type { ContentGroupId, GroupId } from "~/features/settings/model";
import { groupPath, isContentGroup } from "~/features/settings-management/model";
import { issueFormToken } from "~/platform/form-token.server";
import * as settingsRoute from "~/routes/_admin.admin.settings";
import * as contentRoute from "~/routes/_admin.admin.settings_.content";
import { staffMember } from "./admin-area";
import type { TestContext } from "./context";
import { args, get, post } from "./requests";

/** Returns the form of a group as an administrator reads it, with ways to send it. */
export async function settingsForm(id: GroupId | ContentGroupId, tab = "general") {
  const { ctx, base, person } = await staffMember();
  const isContent = isContentGroup(id);
  const path = isContent ? groupPath(id) : `/admin/settings?tab=${tab}&part=${id}`;
  const { loader, action } = isContent ? contentRoute : settingsRoute;
  const read = async () => {
    const { group } = await (await loader(args(ctx, get(path)))).json();
    if (group?.id !== id) throw new Error(`There is no form ${id}`);
    return group;
  };
  const shown = async (): Promise<Record<string, string>> => {
    const { values, version } = await read();
    return { ...values, version: String(version) };
  };
  /** Sends the form as it is shown, with changes. */
  const send = async (changes: Record<string, string> = {}) => {
    const fields = { ...(await shown()), ...changes };
    const form_token = issueFormToken(ctx, `settings-${id}`);
    return action(args(ctx, post(path, { intent: id, form_token, ...fields })));
  };
  return { ctx, base, person, path, read, shown, send };
}

/** Saves a group as an administrator does, and throws unless it is accepted. */
export async function saveSetting(
  id: GroupId | ContentGroupId,
  changes: Record<string, string>,
  tab?: string,
): Promise<TestContext> {
  const { ctx, send } = await settingsForm(id, tab);
  const answer = await send(changes);
  if (answer.status !== 303) throw new Error(`${answer.status} ${JSON.stringify(await answer.json())}`);
  return ctx;
}
