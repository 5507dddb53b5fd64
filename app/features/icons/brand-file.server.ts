import { createHash } from "node:crypto";
import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { logoFile } from "~/features/settings/logo/logo-file.server";
import { PAGE_COLORS } from "~/lib/theme";
import type { Ctx } from "~/platform/context.server";
import { drawPicture } from "./draw-picture.server";
import { type IconBrand, lookSum, PICTURES, type PictureName, picturePath } from "./model";

type BrandFileContext = Pick<Ctx, "files" | "publishedSettings" | "request">;

/** Says that nobody keeps it: it is not what its address names, because this isolate has settings of another age. */
const NOT_KEPT = "no-store";

/** Limits how long browsers show a former icon under the same address. */
const A_DAY = "public, max-age=86400";

const MAX_DRAWN = 12;

/** Holds what this isolate has drawn, by what it shows. */
const drawn = new Map<string, Uint8Array<ArrayBuffer>>();

function pictureOf(brand: IconBrand, name: PictureName): Uint8Array<ArrayBuffer> {
  const key = createHash("sha256")
    .update(JSON.stringify([name, brand.name, brand.tagline, brand.color]))
    .digest("hex");
  const picture = drawn.get(key) ?? drawPicture(brand, name);
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  drawn.set(key, picture);
  return picture;
}

const isPicture = (name: string): name is PictureName => Object.hasOwn(PICTURES, name);

/**
 * Returns a file of the brand, open to everybody: a picture that is drawn, or the logo. Its type is that of its name,
 * and browsers neither guess another nor run anything in it. Null: there is no such file.
 */
export async function brandFile(ctx: BrandFileContext, name = ""): Promise<Response | null> {
  if (!isPicture(name)) return logoFile(ctx, name);
  const brand = await effectiveBrand(ctx);
  const of = ctx.request.url.searchParams.get("of");
  const kept = of === null || of === lookSum(brand) ? A_DAY : NOT_KEPT;
  return new Response(pictureOf(brand, name), { headers: { "Content-Type": "image/png", "Cache-Control": kept } });
}

/** Returns the web manifest: name and icons that a phone shows on its home screen. */
export async function manifestFile(ctx: BrandFileContext): Promise<Response> {
  const brand = await effectiveBrand(ctx);
  const icons = (["icon-192.png", "icon-512.png"] as const).map((name) => ({
    src: picturePath(brand, name),
    sizes: `${PICTURES[name].width}x${PICTURES[name].height}`,
    type: "image/png",
    purpose: "any maskable",
  }));
  const manifest = {
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    start_url: "/",
    display: "browser",
    background_color: PAGE_COLORS.light,
    theme_color: PAGE_COLORS.light,
    icons,
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": A_DAY },
  });
}
