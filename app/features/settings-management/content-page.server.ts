import { PASSWORD_FIELDS } from "~/features/account/account-form.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { ContentSectionId } from "~/features/settings/model";
import { brandOf, unwrittenSections } from "~/features/settings/queries.server";
import { CONTENT_IDS, CONTENT_SECTIONS, contentFields, contentNames } from "~/features/settings/site-content.server";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { GROUPS, groupView, readSettings } from "./groups.server";
import { CONTENT_LABEL } from "./labels";
import type { ContentControl, SettingsError } from "./model";
import { groupPath } from "./model";
import { generalParts, groupAction, groupPurpose, SECRETS } from "./settings-page.server";

/** Sections of which there are many stand behind one tab. */
const FAMILIES = [
  { label: "Services", prefix: "service-" },
  { label: "Industries", prefix: "industry-" },
];

const familyOf = (id: ContentSectionId) => FAMILIES.find(({ prefix }) => id.startsWith(prefix));

/** Holds a control for each field of a section's form, those of the brand among them, which have no default. */
const controlsOf = (id: ContentSectionId): ContentControl[] =>
  GROUPS[`content-${id}`].fields.map((field) => {
    const own = contentFields(id).find(({ name }) => name === field.name);
    return {
      ...field,
      format: own?.format ?? (field.kind === "area" ? "text" : "line"),
      standard: own?.standard ?? "",
      isHeadline: own?.isHeadline ?? false,
    };
  });

export async function readContentPage(ctx: Ctx) {
  const asked = ctx.request.url.searchParams.get("part");
  const id = CONTENT_IDS.find((one) => one === asked) ?? "home";
  const stored = await readSettings(ctx.db);
  const { settings } = stored;
  const unwritten = unwrittenSections(settings);
  const family = familyOf(id);
  const tab = (one: ContentSectionId) => ({
    to: groupPath(`content-${one}`),
    label: `${CONTENT_SECTIONS[one].label}${unwritten.includes(one) ? "" : " ✓"}`,
    current: one === id,
  });
  const first = ({ prefix }: { prefix: string }) => CONTENT_IDS.find((one) => one.startsWith(prefix)) ?? "home";
  return {
    group: {
      ...groupView(stored, `content-${id}`, ctx.now()),
      token: issueFormToken(ctx, groupPurpose(`content-${id}`)),
    },
    controls: controlsOf(id),
    names: contentNames(brandOf(settings), settings["content-plans"]),
    page: CONTENT_SECTIONS[id].page,
    hasPortrait: id === "story",
    tabs: [
      ...CONTENT_IDS.filter((one) => !familyOf(one)).map(tab),
      ...FAMILIES.map((one) => ({ ...tab(first(one)), label: one.label, current: one === family })),
    ],
    general: generalParts(CONTENT_LABEL),
    parts: CONTENT_IDS.filter((one) => family && familyOf(one) === family).map(tab),
    zone: settings.timeZone,
    isFirstHour: settings.firstHourDoneAt === null,
    hasErrors: ctx.form.isRejected,
  };
}

export const contentActions = formActions<StaffActor, null, SettingsError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: SECRETS,
})(Object.fromEntries(CONTENT_IDS.map((id) => [`content-${id}`, groupAction(`content-${id}`)])));
