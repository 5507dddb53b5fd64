import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Brand } from "~/content/brand";
import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import type { PlanId } from "~/content/plans-and-prices";
import type { Db, Statement } from "~/db/client.server";
import type { AuditAction } from "~/features/audit/model";
import { previewDeletion } from "~/features/privacy/retention.server";
import {
  BRAND_FIELDS,
  BrandFields,
  COMPANY_FIELDS,
  CONTENT_BRAND_FIELDS,
  CompanyForm,
} from "~/features/settings/brand-fields.server";
import {
  type BrandOverrides,
  type BrandSettings,
  brandSettings,
  overridesOf,
} from "~/features/settings/brand-settings";
import { LEGAL_TEXT_MAX, legalMarkdown, readLegalText } from "~/features/settings/legal-markdown";
import {
  type ContentGroupId,
  type ContentSectionId,
  countsFrom,
  type GroupId,
  isSameRule,
  type RetentionRule,
  ruleInForce,
  type SettingField,
  siteCalendar,
} from "~/features/settings/model";
import { LOGO_PATH } from "~/features/settings/paths";
import { brandOf, type LegalKind, planNamesIn, settingsFrom, versionInForce } from "~/features/settings/queries.server";
import type { Setting } from "~/features/settings/setting.server";
import {
  DEFAULT_SETTINGS,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type SiteSettings,
} from "~/features/settings/settings.server";
import { CONTENT_IDS, CONTENT_SECTIONS, contentInput, settingFields } from "~/features/settings/site-content.server";
import { countReplyTimesThatMove } from "~/features/submissions/changes.server";
import { targetTime } from "~/features/submissions/reply-target";
import { countClocksThatMove, keepRunningClocks, moveRunningClocks } from "~/features/tickets/sla/targets.server";
import { brandColors, contrast, DARK_INK, LIGHT_SURFACE, MIN_CONTRAST } from "~/lib/brand-colors";
import { weekInWords } from "~/lib/calendar";
import { absentAsEmpty, type FormValues } from "~/lib/form";
import { plural } from "~/lib/text";
import { clockIn, dayIn, days, type Instant, zoneName } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { GROUP_LABELS } from "./labels";
import {
  contentSection,
  type DayPresets,
  type GroupView,
  groupPath,
  isContentGroup,
  type Preview,
  type SettingQuestion,
} from "./model";
import { HOLIDAY_COUNTRIES, publicHolidays } from "./public-holidays";

/** Fields of a form that belong together, and the settings behind them. */
type Part<Input> = {
  fields: readonly SettingField[];
  keys: readonly SettingKey[];
  input: z.ZodType<Input>;
  shown: (settings: SiteSettings) => FormValues;
  // Declared as a method, so that parts with different inputs fit into one group.
  chosen(input: Input, stored: SiteSettings, now: Instant): Partial<SiteSettings>;
};

const part = <Input>(one: Part<Input>): Part<unknown> => one as Part<unknown>;

const partsOf = (id: GroupId): Part<unknown>[] =>
  Object.entries<Setting<unknown, unknown>>(SETTINGS).flatMap(([name, { form }]) => {
    if (form?.group !== id) return [];
    const key = name as SettingKey;
    return [
      {
        fields: form.fields,
        keys: [key],
        input: form.input,
        shown: (settings) => form.shown(settings[key]),
        chosen: (input, stored, now) => ({ [key]: form.stored ? form.stored(input, stored[key], now) : input }),
      },
    ];
  });

type Extras = {
  /** What the settings do, where their labels do not. */
  text?: string | ((settings: SiteSettings, now: Instant) => string);
  /** Settings of other groups that its fields show. */
  shows?: readonly SettingKey[];
  /** How the audit calls a change; by default `settings.changed`. */
  action?: AuditAction;
  /** What is wrong with values that are right each by itself. */
  check?: (chosen: Partial<SiteSettings>) => { field: string; message: string } | null;
  link?: { label: string; to: string };
  /** The label of a field, where it follows the settings. */
  named?: (field: SettingField, settings: SiteSettings) => string;
  presets?: (settings: SiteSettings, now: Instant) => DayPresets;
  /** What a button of the form puts into its fields. */
  fill?: (fields: FormValues) => FormValues;
  preview?: (settings: SiteSettings) => Preview;
  /** Saved for the first time, defaults are stored too: they are the company's own from then on. */
  confirms?: true;
  /** What must be decided before a change is saved; null: nothing. Asked again until one of its choices comes. */
  question?: (
    ctx: Pick<Ctx, "db" | "now">,
    stored: SiteSettings,
    after: SiteSettings,
  ) => Promise<SettingQuestion | null>;
  /** From when on saved settings count, where that is not from now on; null: from now on. */
  countsLater?: (saved: SiteSettings, now: Instant) => string | null;
  /** What is written in the batch of a change. `decision`: the answer to the question. */
  more?: (change: { db: Db; at: Instant; by: string; decision: string | undefined }) => Statement[];
};

type SettingsGroup = Extras & {
  fields: readonly SettingField[];
  keys: readonly SettingKey[];
  /** Reads a form; fields that a browser does not send count as empty. */
  form: z.ZodType<Inputs>;
  values: (settings: SiteSettings) => FormValues;
  /** What is stored of a form. */
  apply: (inputs: Inputs, stored: SiteSettings, now: Instant) => Partial<SiteSettings>;
};

/** What was read for each part, in their order. */
export type Inputs = readonly unknown[];

function settingsGroup({ parts, ...extras }: Extras & { parts: readonly Part<unknown>[] }): SettingsGroup {
  const fields = parts.flatMap((one) => one.fields);
  const apply = (inputs: Inputs, stored: SiteSettings, now: Instant): Partial<SiteSettings> =>
    Object.assign({}, ...parts.map((one, index) => one.chosen(inputs[index], stored, now)));
  return {
    ...extras,
    fields,
    keys: parts.flatMap((one) => one.keys),
    form: absentAsEmpty(
      fields.map(({ name }) => name),
      z.unknown().transform((values, issues): Inputs => {
        const read = parts.map((one) => one.input.safeParse(values));
        for (const { error } of read) for (const issue of error?.issues ?? []) issues.addIssue({ ...issue });
        const inputs = read.map(({ data }) => data);
        const wrong = issues.issues.length === 0 ? extras.check?.(apply(inputs, DEFAULT_SETTINGS, 0)) : null;
        if (wrong) issues.addIssue({ code: "custom", path: [wrong.field], message: wrong.message });
        return inputs;
      }),
    ),
    values: (settings) => Object.assign({}, ...parts.map((one) => one.shown(settings))),
    apply,
  };
}

/** What is chosen for some fields, beside what is stored of the others. Defaults are not stored. */
const withFields = (stored: BrandOverrides, chosen: Partial<BrandSettings>): BrandOverrides => ({
  ...overridesOf({ ...brandSettings({}), ...chosen }),
  ...Object.fromEntries(Object.entries(stored).filter(([field]) => !Object.hasOwn(chosen, field))),
});

const brandFields = (names: readonly (keyof BrandSettings)[]): SettingField[] =>
  names.map((name) => ({ ...BRAND_FIELDS[name], name: name === "name" ? "site_name" : name }));

const companyGroup = settingsGroup({
  text: "Who you are: on the site, in mails, files and legal texts.",
  shows: ["openTimes"],
  parts: [
    part({
      fields: brandFields(COMPANY_FIELDS),
      keys: ["brand"],
      input: CompanyForm,
      shown: ({ brand, openTimes }) => {
        const {
          name,
          address,
          founder: _founder,
          story: _story,
          networkBrand: _network,
          ...lines
        } = brandSettings(brand);
        const hours = brand.hours ?? weekInWords(openTimes.week);
        return { ...lines, site_name: name, hours, address: address.join("\n") };
      },
      chosen: (input, { brand: stored, openTimes }) => {
        const { hours, ...brand } = withFields(stored, input);
        // Words that only say the opening hours follow them.
        return { brand: input.hours === weekInWords(openTimes.week) ? brand : { ...brand, hours: input.hours } };
      },
    }),
    ...partsOf("company"),
  ],
});

const SIZE = { width: 480, height: 120 };

/** As people compare it: "4.5:1". Rounded down, so that it promises nothing. */
const ratio = (one: string, other: string): string => `${(Math.floor(contrast(one, other) * 10) / 10).toFixed(1)}:1`;

/** A button and a link in both themes. Loads nothing and needs no script. */
function colorPreview(color: string): Preview {
  const { light, dark } = brandColors(color).brand;
  const themes = [
    { x: 0, name: "Light", page: "#ffffff", ink: "#3e4d51", own: light, onOwn: "#ffffff" },
    { x: 240, name: "Dark", page: "#111f23", ink: "#b9c5c7", own: dark, onOwn: DARK_INK },
  ];
  const panels = themes.map(
    ({ x, name, page, ink, own, onOwn }) => `<g transform="translate(${x})"><path fill="${page}" d="M0 0h240v120H0z"/>
<text x="16" y="26" fill="${ink}">${name} theme</text><rect x="16" y="40" width="96" height="38" rx="4" fill="${own}"/>
<text x="64" y="64" fill="${onOwn}" font-weight="600" text-anchor="middle">Button</text>
<text x="130" y="64" fill="${own}" text-decoration="underline">A link</text>
<text x="16" y="104" fill="${ink}" font-size="13">${own}, text ${ratio(own, onOwn)}</text></g>`,
  );
  const { width, height } = SIZE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Arial,sans-serif" font-size="15">${panels.join("")}</svg>`;
  const alt = themes.map(({ name, own, onOwn }) => `${name} theme: ${own}, contrast of its text ${ratio(own, onOwn)}`);
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: alt.join(". "), ...SIZE };
}

/** The logo has a page of its own, because it is a file. */
const brandGroup = settingsGroup({
  text: "The color of buttons, links and bands: on all pages, in mails, files and icons.",
  parts: partsOf("look"),
  fill: ({ fill = "", brand_color = "" }) => ({ brand_color: fill.startsWith("#") ? fill : brand_color }),
  action: "settings.brand_changed",
  link: { label: "Change the logo", to: LOGO_PATH },
  preview: ({ brandColor }) => colorPreview(brandColor),
  question: async (_ctx, _stored, { brandColor }) => {
    const { light, dark } = brandColors(brandColor).brand;
    if (brandColor === "" || light === brandColor) return null;
    return {
      text: `Text needs a contrast of ${MIN_CONTRAST}:1. ${brandColor} has ${ratio(brandColor, LIGHT_SURFACE)} on our pages, so buttons and links are ${light} in the light theme and ${dark} in the dark one.`,
      preview: colorPreview(brandColor),
      choices: [{ value: `use-${brandColor}`, label: "Save this" }],
    };
  },
});

type LegalKindOf = {
  kind: LegalKind;
  label: string;
  text: "termsText" | "privacyText";
  version: "termsVersion" | "privacyVersion";
  standardVersion: string;
  standard: (provider: Brand) => LegalText;
};

const standardOf = (kind: LegalKindOf, settings: SiteSettings): string =>
  legalMarkdown(kind.standard(brandOf(settings)));

const normalized = (text: string) => text.replace(/\r\n?/g, "\n").trim();

const body = z
  .string()
  .transform(normalized)
  .refine(
    (text) => text.length <= LEGAL_TEXT_MAX,
    `The text can have at most ${LEGAL_TEXT_MAX.toLocaleString("en-US")} characters`,
  )
  .refine(
    (text) => text === "" || readLegalText(text) !== null,
    "Begin each section with “## ” and its title, and write something below it",
  );

function nextVersion(given: readonly string[], today: string): string {
  const numbers = given
    .map((version) => version.split("."))
    .filter(([day]) => day === today)
    .map(([, number = "1"]) => Number(number));
  return numbers.length === 0 ? today : `${today}.${Math.max(...numbers) + 1}`;
}

/** Former versions stay in the activity, and consents name theirs. */
const legalGroup = (kind: LegalKindOf) =>
  settingsGroup({
    text: (settings) =>
      `Version ${versionInForce(settings, kind.kind)}. What stands before the first “## ” is the lead; “## ” begins a section, “- ” a line of a list. Leave empty for the default.`,
    parts: [
      part({
        fields: [{ name: "body", kind: "area", label: kind.label, optional: true }],
        keys: [kind.text, kind.version],
        input: z.object({ body }),
        shown: (settings) => ({ body: settings[kind.text] || standardOf(kind, settings) }),
        chosen: (input, stored, now) => {
          const isStandard = input.body === "" || input.body === normalized(standardOf(kind, stored));
          const text = isStandard ? "" : input.body;
          if (text === stored[kind.text]) return {};
          // The version of a text that is taken back is kept: the next one of the day needs another.
          if (isStandard) return { [kind.text]: "" };
          const given = [stored[kind.version], kind.standardVersion];
          return { [kind.text]: text, [kind.version]: nextVersion(given, dayIn(stored.timeZone, now)) };
        },
      }),
    ],
  });

/** Adds the days of a preset that are not there yet. */
function withHolidays(text: string, added: readonly { day: string; name: string }[]): string {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  const days = new Set(lines.map((line) => line.split(" ")[0]));
  const fresh = added.filter(({ day }) => !days.has(day) && !days.has(day.slice(5)));
  return [...lines, ...fresh.map(({ day, name }) => `${day} ${name}`)].sort().join("\n");
}

const hoursGroup = settingsGroup({
  text: ({ timeZone }, now) =>
    `Replies are promised by these hours. What pages and mails say of them follows, unless Company words it otherwise. It is ${clockIn(timeZone, now)} in ${zoneName(timeZone)} now.`,
  presets: ({ timeZone }, now) => {
    const year = Number(dayIn(timeZone, now).slice(0, 4));
    const years = [year, year + 1, year + 2].map(String);
    return { countries: HOLIDAY_COUNTRIES, years: years.map((value) => ({ value, label: value })) };
  },
  fill: ({ fill, hours_monday: monday = "", holidays = "", country = "", year = "" }): FormValues =>
    fill === "copy"
      ? { hours_tuesday: monday, hours_wednesday: monday, hours_thursday: monday, hours_friday: monday }
      : { holidays: withHolidays(holidays, /^20\d\d$/.test(year) ? publicHolidays(country, Number(year)) : []) },
  parts: partsOf("hours"),
  confirms: true,
  question: async ({ db, now }, stored, after) => {
    const calendar = siteCalendar(after);
    if (JSON.stringify(siteCalendar(stored)) === JSON.stringify(calendar)) return null;
    const [{ count: ofTickets, isMore }, ofSubmissions] = await Promise.all([
      countClocksThatMove(db, calendar, now()),
      countReplyTimesThatMove(db, calendar, now()),
    ]);
    const count = ofTickets + ofSubmissions;
    if (count === 0) return null;
    const clocks = isMore ? `${count.toLocaleString("en-US")} or more running clocks` : plural(count, "running clock");
    return {
      text: `The new hours apply to new clocks; ${clocks} will move if you choose so.`,
      choices: [
        { value: "keep", label: "Keep what is promised: only new clocks follow" },
        { value: "move", label: "Move the running clocks too" },
      ],
    };
  },
  more: ({ db, at, by, decision }) => [decision === "move" ? moveRunningClocks(db, { at, by }) : keepRunningClocks(db)],
});

const quietTicketsGroup = settingsGroup({
  text: "What happens to tickets on which nothing happens. 0 switches a step off.",
  parts: partsOf("tickets"),
  // What is no number has its own message, and is neither less nor more.
  check: ({ announceClosingAfter: announce = 0, closeResolvedAfter: close = 0 }) =>
    close === 0 || !(announce >= close)
      ? null
      : { field: "announce_after", message: "Announce the end before the ticket is closed, or switch it off with 0" },
});

const ruleText = ({ days, never }: RetentionRule) => (never ? "nothing is deleted" : `it is ${plural(days, "day")}`);

/** Null: the new rule counts already. */
function untilThen({ retention, timeZone }: Pick<SiteSettings, "retention" | "timeZone">, now: Instant): string | null {
  const inForce = ruleInForce(retention, now);
  if (isSameRule(inForce, retention)) return null;
  return `Until ${targetTime(timeZone, countsFrom(retention))} the former rule counts: ${ruleText(inForce)}.`;
}

const retentionGroup = settingsGroup({
  text: ({ retention, timeZone }, now) => {
    const rule =
      "Each night, submissions go with which nothing has happened for so long: resolved ones, and those still held for review. New and contacted ones stay.";
    const later = untilThen({ retention, timeZone }, now);
    return later === null ? rule : `${rule} ${later}`;
  },
  countsLater: untilThen,
  parts: partsOf("retention"),
  question: async ({ db, now }, stored, { retention }) => {
    if (retention.never || isSameRule(retention, stored.retention)) return null;
    const { count, onHold, isMore } = await previewDeletion(db, now() - days(retention.days));
    const found = `${isMore ? "at least " : ""}${plural(count, "submission")}`;
    const held = onHold > 0 ? ` ${plural(onHold, "more is", "more are")} on legal hold and would stay.` : "";
    const isAtOnce = isSameRule(ruleInForce(retention, now()), retention);
    const start = isAtOnce ? "It counts from now on." : "It takes effect 24 hours after saving.";
    return {
      text: `The first run under the new number would delete ${found}.${held} ${start}`,
      // Another number is another question.
      choices: [{ value: `delete-${count}`, label: "Save this" }],
    };
  },
});

/** A section of the site's content: its own texts, and the facts of the brand that stand there. */
const contentGroup = (id: ContentSectionId) => {
  const key = `content-${id}` as const;
  const ofBrand: readonly (keyof BrandSettings)[] = id === "story" || id === "network" ? CONTENT_BRAND_FIELDS[id] : [];
  return settingsGroup({
    parts: [
      ...(ofBrand.length === 0
        ? []
        : [
            part({
              fields: brandFields(ofBrand),
              keys: ["brand"],
              input: BrandFields.pick(Object.fromEntries(ofBrand.map((field) => [field, true])) as { story: true }),
              shown: ({ brand }) => {
                const settings = brandSettings(brand);
                return Object.fromEntries(ofBrand.map((field) => [field, String(settings[field])]));
              },
              chosen: (input, { brand }) => ({ brand: withFields(brand, input) }),
            }),
          ]),
      part({
        fields: settingFields(id),
        keys: [key],
        input: contentInput(id),
        shown: (settings) => settings[key],
        chosen: (input) => ({ [key]: input }),
      }),
    ],
  });
};

const PRICED = /^plan_/;

const CONTENT_GROUPS = Object.fromEntries(CONTENT_IDS.map((id) => [`content-${id}`, contentGroup(id)])) as Record<
  ContentGroupId,
  SettingsGroup
>;

export const GROUPS: Record<GroupId | ContentGroupId, SettingsGroup> = {
  ...CONTENT_GROUPS,
  company: companyGroup,
  look: brandGroup,
  hours: hoursGroup,
  promises: settingsGroup({
    text: (settings) =>
      `Until when clients are promised a reply to a ticket, by its priority. Hours are open hours; a business day ends at the same time of the next one. ${planNamesIn(settings).premium} counts around the clock. A time to resolve tickets is promised only where you give one. What is promised already stays.`,
    parts: partsOf("promises"),
  }),
  prices: settingsGroup({
    text: "In US dollars. The pricing page, the estimator and the texts that name a price follow within a minute; estimates that were sent keep theirs.",
    parts: partsOf("prices"),
    named: ({ name, label }, settings) =>
      PRICED.test(name) ? label.replace(/^[^,]+/, planNamesIn(settings)[name.slice(5) as PlanId]) : label,
    confirms: true,
  }),
  terms: legalGroup({
    kind: "terms",
    label: "Terms",
    text: "termsText",
    version: "termsVersion",
    standardVersion: TERMS_VERSION,
    standard: termsText,
  }),
  privacy: legalGroup({
    kind: "privacy",
    label: "Privacy",
    text: "privacyText",
    version: "privacyVersion",
    standardVersion: PRIVACY_VERSION,
    standard: privacyText,
  }),
  tickets: quietTicketsGroup,
  "sign-up": settingsGroup({ parts: partsOf("sign-up"), action: "settings.sign_up_changed" }),
  mail: settingsGroup({ parts: partsOf("mail") }),
  "sign-in": settingsGroup({
    text: "Staff always need two steps. Sessions can only be shortened; open ones follow with their next request.",
    parts: partsOf("sign-in"),
  }),
  retention: retentionGroup,
};

type StoredSetting = { key: string; value: string; version: number; at: Instant; by: string | null };

type ReadSettings = { settings: SiteSettings; rows: StoredSetting[] };

const listed = (keys: readonly string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;

export async function readSettings(db: Db): Promise<ReadSettings> {
  const rows = await db.all<StoredSetting>(sql`
    SELECT s.key, s.value_json AS value, s.version, s.updated_at AS at, u.full_name AS by
    FROM settings s LEFT JOIN users u ON u.id = s.updated_by WHERE s.key IN ${listed(SETTING_KEYS)}`);
  return { settings: settingsFrom(rows), rows };
}

export const shownFields = ({ fields, named }: SettingsGroup, settings: SiteSettings): readonly SettingField[] =>
  named ? fields.map((field) => ({ ...field, label: named(field, settings) })) : fields;

const shownKeys = (id: GroupId | ContentGroupId): readonly string[] => [
  ...GROUPS[id].keys,
  ...(GROUPS[id].shows ?? []),
];

export const groupVersion = (id: GroupId | ContentGroupId): SQL =>
  sql`(SELECT coalesce(sum(version), 0) FROM settings WHERE key IN ${listed(shownKeys(id))})`;

const groupLabel = (id: GroupId | ContentGroupId): string =>
  isContentGroup(id) ? CONTENT_SECTIONS[contentSection(id)].label : GROUP_LABELS[id];

export function groupView({ settings, rows }: ReadSettings, id: GroupId | ContentGroupId, now: Instant): GroupView {
  const { text = null, keys, values, preview, presets, link = null } = GROUPS[id];
  const own = rows.filter(({ key }) => keys.some((one) => one === key)).sort((one, other) => other.at - one.at);
  const [latest] = own;
  return {
    id,
    label: groupLabel(id),
    path: groupPath(id),
    text: typeof text === "function" ? text(settings, now) : text,
    fields: shownFields(GROUPS[id], settings),
    values: values(settings),
    link,
    preview: preview?.(settings) ?? null,
    presets: presets?.(settings, now) ?? null,
    version: rows.reduce((sum, { key, version }) => (shownKeys(id).includes(key) ? sum + version : sum), 0),
    lastChange: latest ? { at: latest.at, by: latest.by } : null,
  };
}
