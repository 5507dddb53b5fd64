import { type Brand, brand as defaultBrand } from "~/content/brand";
import { brandFilePath, withParams } from "~/lib/addresses";

/** Holds what of a brand its icons, its preview and its manifest show. */
export type IconBrand = Pick<Brand, "name" | "tagline" | "color" | "initial">;

/** Names the pictures that are drawn, and their sides in pixels. */
export const PICTURES = {
  "icon-192.png": { width: 192, height: 192 },
  "icon-512.png": { width: 512, height: 512 },
  "touch.png": { width: 180, height: 180 },
  "preview.png": { width: 1200, height: 630 },
} as const;
export type PictureName = keyof typeof PICTURES;

const DRAWN_FOR: Record<PictureName, string> = {
  "icon-192.png": "/images/icon-192.png",
  "icon-512.png": "/images/icon-512.png",
  "touch.png": "/images/apple-touch-icon.png",
  "preview.png": "/images/preview.png",
};

/** Tells whether a brand looks like the default one, whose pictures are files of the build. */
const hasDefaultLook = ({ name, tagline, color }: IconBrand): boolean =>
  name === defaultBrand.name && tagline === defaultBrand.tagline && color === defaultBrand.color;

/**
 * Returns the address of a picture. It changes with what the picture shows, because others keep what they have loaded.
 */
export function picturePath(brand: IconBrand, name: PictureName): string {
  if (hasDefaultLook(brand)) return DRAWN_FOR[name];
  return withParams(brandFilePath(name), { of: lookSum(brand) });
}

/** Returns a short sum of what pictures of a brand show. */
export const lookSum = ({ name, tagline, color }: IconBrand): string => sumOf([name, tagline, color].join("\n"));

/** Returns a short sum of a text (FNV-1a): equal for equal texts, and nothing more is asked of it. */
function sumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum.toString(36);
}
