import { eq, inArray, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Brand, LogoImage } from "~/content/brand";
import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import type { Plan } from "~/content/plans-and-prices";
import type { Db } from "~/db/client.server";
import { settings } from "~/db/schema/site";
import { weekInWords } from "~/lib/calendar";
import type { Instant } from "~/lib/time";
import type { ListViewer } from "~/lists/criteria";
import { BulkForm, type Selection } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import type { PublishedSettings } from "~/platform/published-settings.server";
import type { PostedForm } from "~/platform/read-form.server";
import type { SiteBrand } from "./brand";
import { storedBrand } from "./brand-fields.server";
import { brandSettings, mergedBrand } from "./brand-settings";
import { readLegalText } from "./legal-markdown";
import {
  type ContentSectionId,
  DEFAULT_RETENTION,
  type PlanNames,
  pictureImage,
  pictureKey,
  planNamesOf,
  RETENTION_KEY,
  type StoredRetention,
  saysName,
} from "./model";
import {
  DEFAULT_SETTINGS,
  LONG_KEYS,
  PUBLIC_KEYS,
  SETTINGS,
  type ShortSettings,
  type SiteSettings,
  StoredSettings,
} from "./settings.server";
import { CONTENT_IDS, contentNames, type StoredContent, siteContent, sitePlans } from "./site-content.server";

/** Version 0: nothing was saved yet. */
export async function findRetention(db: Db): Promise<{ version: number; retention: StoredRetention }> {
  const [row] = await db
    .select({ version: settings.version, value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, RETENTION_KEY))
    .limit(1);
  return row
    ? { version: row.version, retention: SETTINGS.retention.schema.parse(JSON.parse(row.value)) }
    : { version: 0, retention: DEFAULT_RETENTION };
}

type StoredRow = { key: string; value: string };

const valuesOf = (rows: readonly StoredRow[]): Record<string, unknown> =>
  Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));

/** Remembers the settings that were read last, by their rows: every page reads them, and they hardly ever change. */
let lastRead: { text: string; settings: SiteSettings } | undefined;

export function settingsFrom(rows: readonly StoredRow[]): SiteSettings {
  const text = JSON.stringify(rows);
  if (lastRead?.text !== text) lastRead = { text, settings: Object.freeze(settingsOf(valuesOf(rows))) };
  return lastRead.settings;
}

export function settingsOf(stored: Record<string, unknown>): SiteSettings {
  // Until somebody says otherwise, notices go to the address the site names.
  const adminEmail = storedBrand(stored.brand).email ?? DEFAULT_SETTINGS.adminEmail;
  return StoredSettings.parse({ ...DEFAULT_SETTINGS, adminEmail, ...stored });
}

const LONG = sql.raw(LONG_KEYS.map((key) => `'${key}'`).join(", "));

/** Goes through the rows there are: asked for by key, those that nobody has changed would cost a row each too. */
export async function getSettings(db: Db): Promise<ShortSettings> {
  return settingsFrom(
    await db.all<StoredRow>(sql`SELECT key, value_json AS value FROM ${settings} WHERE key NOT IN (${LONG})`),
  );
}

/** Its version grows with every save of a public setting; 0: nothing was saved yet. */
export async function findPublicSettings(db: Db): Promise<PublishedSettings> {
  const rows = await db
    .select({ key: settings.key, version: settings.version, value: settings.value_json })
    .from(settings)
    .where(inArray(settings.key, [...PUBLIC_KEYS]));
  const { brand, ...values } = valuesOf(rows);
  return { version: rows.reduce((sum, row) => sum + row.version, 0), brand: storedBrand(brand), values };
}

/** Remembers the time zone of the last read: nearly always still the right one. */
let lastKnownZone = DEFAULT_SETTINGS.timeZone;

/** Reads with the last known zone and repeats if it has changed, so that the settings cost no round trip. */
export async function readInSiteZone<Value>(
  db: Db,
  read: (zone: string) => Promise<Value>,
): Promise<{ settings: ShortSettings; value: Value }> {
  const zone = lastKnownZone;
  const [settings, value] = await Promise.all([getSettings(db), read(zone)]);
  lastKnownZone = settings.timeZone;
  return { settings, value: settings.timeZone === zone ? value : await read(settings.timeZone) };
}

const brands = new WeakMap<object, SiteBrand>();

/** Costs no database read and never fails. */
export async function effectiveBrand({ publishedSettings }: Pick<Ctx, "publishedSettings">): Promise<SiteBrand> {
  const published = await publishedSettings();
  // Every isolate keeps the settings it has read for a while, and each page asks for the brand several times.
  const known = brands.get(published);
  if (known) return known;
  const settings = settingsOf({ ...published.values, brand: published.brand });
  const brand = brandOf(settings);
  const content = siteContent(writtenContent(settings), brand, settings);
  const made = { ...brand, content, planNames: planNamesOf(content.plans) };
  brands.set(published, made);
  return made;
}

/** Sets the size of a logo on a page, in rem. */
const LOGO_ROOM = { height: 2, width: 9 };

/** On white where the page is dark, because nobody knows its colours. It holds nothing that HTML would escape. */
export function logoStyle(logo: LogoImage | null): string {
  if (!logo) return "";
  const width = Math.round(Math.min(LOGO_ROOM.width, LOGO_ROOM.height * (logo.width / logo.height)) * 1000) / 1000;
  const plate = "background-color:#fff;outline:3px solid #fff;border-radius:2px";
  const mark = "[data-logo] svg";
  return [
    `${mark}{width:${width}rem;height:${LOGO_ROOM.height}rem;background:url(${logo.src}) left center/contain no-repeat;print-color-adjust:exact}`,
    `${mark} path{display:none}`,
    `.on-deep ${mark},[data-theme=dark] ${mark}{${plate}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]) ${mark}{${plate}}}`,
    saysName(logo) ? "[data-logo] span{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}" : "",
  ].join("");
}

/** The plans as the site describes them. */
export const plansIn = (settings: ShortSettings): Plan[] => {
  const { brand, prices, "content-plans": texts } = settings;
  return sitePlans(texts, contentNames({ name: brandSettings(brand).name, prices }, texts));
};

export const planNamesIn = (settings: ShortSettings): PlanNames => planNamesOf(plansIn(settings));

/** Sections in which nothing is written: pages say what `content/` says, or leave the block out. */
export const unwrittenSections = (settings: SiteSettings): ContentSectionId[] =>
  CONTENT_IDS.filter((id) => {
    const { brand, portrait } = settings;
    if (id === "story") return !brand.story && !portrait && Object.keys(settings["content-story"]).length === 0;
    return id === "network" ? !brand.networkBrand : Object.keys(settings[`content-${id}`]).length === 0;
  });

const writtenContent = (settings: SiteSettings): StoredContent =>
  Object.fromEntries(CONTENT_IDS.map((id) => [id, settings[`content-${id}`]])) as StoredContent;

export const brandOf = ({ brand, siteDescription, openTimes, prices, ...settings }: SiteSettings): Brand => ({
  ...mergedBrand(brand),
  description: siteDescription,
  color: settings.brandColor,
  logo: settings.logo && pictureImage("logo", settings.logo),
  prices,
  countsViews: settings.enableAnalytics,
  keepsRequests: settings.retention.never ? null : settings.retention.days,
  domain: settings.companyDomain,
  hours: brand.hours ?? weekInWords(openTimes.week),
});

const NAME = /^(logo-[0-9a-f]{32}\.(png|webp)|portrait-[0-9a-f]{32}\.(png|webp|jpg))$/;

/** Their names hold a hash of the content. One of a person may be taken away. */
const keptFor = (name: string) =>
  name.startsWith("logo-") ? "public, max-age=31536000, immutable" : "public, max-age=86400";

export const pictureContent = async ({ files }: Pick<Ctx, "files">, name: string) =>
  NAME.test(name) ? files.get(pictureKey(name)) : null;

/** Browsers neither guess another type nor run anything in it. */
export async function pictureFile(ctx: Pick<Ctx, "files">, name: string): Promise<Response | null> {
  const content = await pictureContent(ctx, name);
  if (!content) return null;
  return new Response(content, {
    headers: {
      "Content-Type": `image/${name.slice(name.lastIndexOf(".") + 1).replace("jpg", "jpeg")}`,
      "Cache-Control": keptFor(name),
      "Content-Security-Policy": "sandbox; default-src 'none'",
      // Mail programs in a browser show it on pages of theirs.
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}

export type LegalKind = "terms" | "privacy";

export const versionInForce = (settings: SiteSettings, kind: LegalKind): string =>
  kind === "terms"
    ? settings.termsText
      ? settings.termsVersion
      : TERMS_VERSION
    : settings.privacyText
      ? settings.privacyVersion
      : PRIVACY_VERSION;

export const publishedTermsVersion = async (ctx: Pick<Ctx, "publishedSettings">): Promise<string> =>
  versionInForce(settingsOf((await ctx.publishedSettings()).values), "terms");

export async function publishedLegalText(ctx: Pick<Ctx, "publishedSettings">, kind: LegalKind): Promise<LegalText> {
  const brand = await effectiveBrand(ctx);
  const standard = kind === "terms" ? termsText(brand) : privacyText(brand);
  const settings = settingsOf((await ctx.publishedSettings()).values);
  const written = readLegalText(kind === "terms" ? settings.termsText : settings.privacyText);
  if (!written) return standard;
  return { title: standard.title, version: versionInForce(settings, kind), ...written };
}

type Rows<Filter> = {
  list: { readFilter: (params: URLSearchParams) => Filter };
  selectPosted: (values: readonly string[], actor: Actor) => Selection;
  selectMatching: (
    db: Db,
    request: { filter: Filter; viewer: ListViewer; unchangedSince?: Instant },
  ) => Promise<Selection>;
};

/** Rows that were created or changed after the list was read are left out of those that match the filter. */
export async function readSelection<Filter>(
  ctx: Pick<Ctx, "db" | "now">,
  actor: Actor,
  { fields, lists }: PostedForm,
  { list, selectPosted, selectMatching }: Rows<Filter>,
): Promise<Selection> {
  const { target, query, readAt } = BulkForm.parse(fields);
  if (target === "selected") return selectPosted(lists.row ?? [], actor);
  const filter = list.readFilter(new URLSearchParams(query));
  const { value } = await readInSiteZone(ctx.db, (zone) =>
    selectMatching(ctx.db, { filter, viewer: { actor, zone, now: ctx.now() }, unchangedSince: readAt }),
  );
  return value;
}
