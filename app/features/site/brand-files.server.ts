import { letterFacts } from "~/content/exhibits";
import { writeLetter } from "~/features/letters/queries.server";
import { effectiveBrand, pictureFile } from "~/features/settings/queries.server";
import { brandFilePath } from "~/lib/addresses";
import { PAGE_COLORS } from "~/lib/theme";
import type { Ctx } from "~/platform/context.server";
import { brandIcon } from "~/ui/favicon";
import { exampleLetter } from "./exhibits";
import { BRAND_ICON, hasDefaultBrand } from "./seo";

type BrandFileContext = Pick<Ctx, "files" | "publishedSettings">;

const A_DAY = "public, max-age=86400";

/** Null: there is no such file. */
export async function brandFile(ctx: BrandFileContext, name = ""): Promise<Response | null> {
  if (name !== BRAND_ICON) return pictureFile(ctx, name);
  const icon = brandIcon(await effectiveBrand(ctx));
  // Opened by itself it is a document, in which nothing may run.
  const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";
  const headers = { "Content-Type": "image/svg+xml", "Cache-Control": A_DAY, "Content-Security-Policy": policy };
  return new Response(icon, { headers });
}

const letters = new WeakMap<object, Uint8Array>();

/** Written once for each state of the settings. */
export async function exampleLetterFile(ctx: Parameters<typeof writeLetter>[0]): Promise<Response> {
  const brand = await effectiveBrand(ctx);
  const bytes = letters.get(brand) ?? (await writeLetter(ctx, exampleLetter(brand), letterFacts.writtenAt)).bytes;
  letters.set(brand, bytes);
  const headers = {
    "Content-Type": "application/pdf",
    "Content-Disposition": 'inline; filename="example-letter.pdf"',
    "Cache-Control": "public, max-age=3600",
  };
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}

const DEFAULT_ICONS = [192, 512].map((side) => ({
  src: `/images/icon-${side}.png`,
  sizes: `${side}x${side}`,
  type: "image/png",
  purpose: "any maskable",
}));
const OWN_ICONS = [{ src: brandFilePath(BRAND_ICON), sizes: "any", type: "image/svg+xml", purpose: "any maskable" }];

export async function manifestFile(ctx: BrandFileContext): Promise<Response> {
  const brand = await effectiveBrand(ctx);
  const manifest = {
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    start_url: "/",
    display: "browser",
    background_color: PAGE_COLORS.light,
    theme_color: PAGE_COLORS.light,
    icons: hasDefaultBrand(brand) ? DEFAULT_ICONS : OWN_ICONS,
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": A_DAY },
  });
}
