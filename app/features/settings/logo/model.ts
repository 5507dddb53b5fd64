import type { LogoImage } from "~/content/brand";
import { brandFilePath } from "~/lib/addresses";

/** Limits the sides of a logo, in pixels: enough for sharp screens, and little enough to be shown at once. */
export const LOGO_SIDES = { min: 32, max: 2_000 };
/** Limits the file of a logo, in bytes. */
export const LOGO_SIZE = 512 * 1024;

/** Describes the file of a logo. `hash`: of its content; the file is named by it. Width and height in pixels. */
export type LogoFile = { hash: string; kind: "png" | "webp"; width: number; height: number };

const fileName = ({ hash, kind }: Pick<LogoFile, "hash" | "kind">) => `logo-${hash}.${kind}`;

/** Returns the key of a logo in the file store. */
export const logoKey = (logo: Pick<LogoFile, "hash" | "kind">): string => `brand/${fileName(logo)}`;

type Sides = { width: number; height: number };

/** Tells whether a logo is so wide that it is taken to say the name, which then is only read aloud. */
export const saysName = ({ width, height }: Sides): boolean => width / height > 2;

/** Returns the size in which a logo fits a room: as high as that, unless it is too wide. */
export function logoSize({ width, height }: Sides, room: Sides): Sides {
  const scale = Math.min(room.height / height, room.width / width);
  return { width: width * scale, height: height * scale };
}

/** Returns a logo as pages show it. */
export const logoImage = (logo: LogoFile): LogoImage => ({
  src: brandFilePath(fileName(logo)),
  width: logo.width,
  height: logo.height,
});
