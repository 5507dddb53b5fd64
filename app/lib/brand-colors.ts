import { contrast, hexOfOklch, type Oklch, oklchOf } from "./color";

/** Holds a colour in the light and in the dark theme. */
type Pair = { light: string; dark: string };

/** Holds the colours of a brand: of links and buttons, of those the pointer is on, and the darkest band. */
type BrandColors = { brand: Pair; hover: Pair; deep: string; onDeep: string };

/** Holds the colours of `ui/styles/tokens.css` as numbers, for where no style sheet is read: mails, files, icons. */
export const DEFAULT_COLORS: BrandColors = {
  brand: { light: "#0f5a66", dark: "#96d0d7" },
  hover: { light: "#0a404b", dark: "#c2e4e8" },
  deep: "#072d36",
  onDeep: "#eff8f9",
};

/** Holds the contrast that text needs with what is behind it (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

const WHITE = "#ffffff";
/** Holds the colour of text on buttons in the dark theme: `--color-on-action`. */
export const DARK_INK = "#041a21";
/** Holds the darkest of the light surfaces that links stand on, and the lightest of the dark ones: sunken, raised. */
export const LIGHT_SURFACE = "#e9eff1";
const DARK_SURFACE = "#1b292d";

/** Lists the roles of `tokens.css` that follow the colour: lightness and chroma in each theme, as they are there. */
const FOLLOWING = {
  "brand-tint": { light: [0.945, 0.019], dark: [0.3, 0.038] },
  folder: { light: [0.925, 0.03], dark: [0.285, 0.034] },
  "brand-deep": { light: [0.275, 0.044], dark: [0.255, 0.036] },
  "on-deep-2": { light: [0.895, 0.036], dark: [0.895, 0.036] },
} as const;

/** Holds the chroma of the default colour, by which those of its roles are scaled. */
const DEFAULT_CHROMA = 0.07;

type Role = { l: number; c: number };

/**
 * Returns a colour of a role with the hue of the brand. Strong colours make it stronger, within limits; grey ones grey.
 */
const following = ({ c, h }: Oklch, [l, chroma]: readonly [number, number]): string =>
  hexOfOklch({ l, c: chroma * Math.min(1.6, c / DEFAULT_CHROMA), h });

type Direction = { step: number; backgrounds: readonly string[] };

/** Moves a colour step by step until it can be read on all of these, at the least. */
function readable(color: Oklch, { step, backgrounds }: Direction): Role & { hex: string } {
  let { l } = color;
  let hex = hexOfOklch({ ...color, l });
  while (l > 0 && l < 1 && backgrounds.some((one) => contrast(hex, one) < MIN_CONTRAST)) {
    l += step;
    hex = hexOfOklch({ ...color, l });
  }
  return { l, c: color.c, hex };
}

/** Limits a colour in the dark theme, which is at least this light, and at most this strong: it glares otherwise. */
const DARK_LIGHTNESS = 0.76;
const DARK_CHROMA = 0.14;

/**
 * Returns the colours of a brand: `color` where text can be read on it and it can be read as text, else the nearest of
 * its hue that does. `color`: "#0f5a66", or empty for the default.
 */
export function brandColors(color: string): BrandColors {
  if (color === "") return DEFAULT_COLORS;
  const own = oklchOf(color);
  const tint = {
    light: following(own, FOLLOWING["brand-tint"].light),
    dark: following(own, FOLLOWING["brand-tint"].dark),
  };
  const chosen = { step: -0.005, backgrounds: [WHITE, LIGHT_SURFACE, tint.light] };
  const light = isReadable(color, chosen) ? { ...own, hex: color } : readable(own, chosen);
  const glowing = { ...own, l: Math.max(own.l, DARK_LIGHTNESS), c: Math.min(own.c, DARK_CHROMA) };
  const dark = readable(glowing, { step: 0.005, backgrounds: [DARK_INK, DARK_SURFACE, tint.dark] });
  return {
    brand: { light: light.hex, dark: dark.hex },
    hover: {
      light: hexOfOklch({ ...own, l: Math.max(0.15, light.l - 0.085), c: own.c * 0.8 }),
      dark: hexOfOklch({ ...own, l: Math.min(0.95, dark.l + 0.075), c: Math.min(own.c, DARK_CHROMA) * 0.6 }),
    },
    deep: following(own, FOLLOWING["brand-deep"].light),
    onDeep: DEFAULT_COLORS.onDeep,
  };
}

const isReadable = (hex: string, { backgrounds }: Direction) =>
  backgrounds.every((one) => contrast(hex, one) >= MIN_CONTRAST);

/**
 * Returns the rule that replaces the colours of the style sheets by those of a brand. Empty for the default. It holds
 * nothing that HTML would escape.
 */
export function brandStyle(color: string): string {
  if (color === "") return "";
  const own = oklchOf(color);
  const { brand, hover, deep } = brandColors(color);
  const linkHover = { light: deep, dark: following(own, [0.945, 0.019]) };
  const pairs: [string, Pair][] = [
    ...(["brand", "action", "link"] as const).map((role): [string, Pair] => [role, brand]),
    ...(["brand-ink", "action-hover"] as const).map((role): [string, Pair] => [role, hover]),
    ["link-hover", linkHover],
    ...Object.entries(FOLLOWING).map(([role, { light, dark }]): [string, Pair] => [
      role,
      { light: following(own, light), dark: following(own, dark) },
    ]),
  ];
  const rule = (value: (pair: Pair) => string) =>
    `:root{${pairs.map(([role, pair]) => `--color-${role}:${value(pair)}`).join(";")}}`;
  // Browsers that do not know light-dark() show the light theme only.
  const both = rule(({ light, dark }) => `light-dark(${light},${dark})`);
  return `${rule(({ light }) => light)}@supports (color:light-dark(red,red)){${both}}`;
}
