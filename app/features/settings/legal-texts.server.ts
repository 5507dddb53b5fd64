import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import type { Ctx } from "~/platform/context.server";
import { effectiveBrand } from "./effective-brand.server";
import { readLegalText } from "./legal-markdown";
import type { SiteSettings } from "./model";
import { settingsOf } from "./queries.server";

/** Names the legal texts. */
export type LegalKind = "terms" | "privacy";

/** Returns the version of a legal text that is in force: of our own, where one is written, or of the default one. */
export const versionInForce = (settings: SiteSettings, kind: LegalKind): string =>
  kind === "terms"
    ? settings.termsText
      ? settings.termsVersion
      : TERMS_VERSION
    : settings.privacyText
      ? settings.privacyVersion
      : PRIVACY_VERSION;

/** Returns the version of the terms that visitors read now. Costs no read of the database. */
export const publishedTermsVersion = async (ctx: Pick<Ctx, "publishedSettings">): Promise<string> =>
  versionInForce(settingsOf((await ctx.publishedSettings()).values), "terms");

/** Returns a legal text as the site shows it: our own, or the default one. Costs no read of the database. */
export async function publishedLegalText(ctx: Pick<Ctx, "publishedSettings">, kind: LegalKind): Promise<LegalText> {
  const brand = await effectiveBrand(ctx);
  const standard = kind === "terms" ? termsText(brand) : privacyText(brand);
  const settings = settingsOf((await ctx.publishedSettings()).values);
  const written = readLegalText(kind === "terms" ? settings.termsText : settings.privacyText);
  if (!written) return standard;
  return { title: standard.title, version: versionInForce(settings, kind), ...written };
}
