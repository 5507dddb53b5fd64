import { type LegalText, privacyText, termsText } from "~/content/legal";
import type { Ctx } from "~/platform/context.server";
import { effectiveBrand } from "./effective-brand.server";
import { readLegalText } from "./legal-markdown";
import { settingsOf } from "./queries.server";

/** Returns a legal text as the site shows it: our own, or the default one. Costs no read of the database. */
export async function publishedLegalText(
  ctx: Pick<Ctx, "publishedSettings">,
  kind: "terms" | "privacy",
): Promise<LegalText> {
  const brand = await effectiveBrand(ctx);
  const standard = kind === "terms" ? termsText(brand) : privacyText(brand);
  const settings = settingsOf((await ctx.publishedSettings()).values);
  const written = readLegalText(kind === "terms" ? settings.termsText : settings.privacyText);
  if (!written) return standard;
  const version = kind === "terms" ? settings.termsVersion : settings.privacyVersion;
  return { title: standard.title, version, ...written };
}
