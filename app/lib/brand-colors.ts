type Rgb = readonly [number, number, number];

/** See https://bottosson.github.io/posts/oklab. */
type Oklch = { l: number; c: number; h: number };

export const HEX_COLOR = /^#[0-9a-f]{6}$/;

export const rgbOf = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
};

const mapChannels = ([red, green, blue]: Rgb, change: (channel: number, index: 0 | 1 | 2) => number): Rgb => [
  change(red, 0),
  change(green, 1),
  change(blue, 2),
];

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

const linear = (channel: number) => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const encoded = (part: number) => 255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);

export function contrast(one: string, other: string): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = mapChannels(rgbOf(hex), linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function oklchOf(hex: string): Oklch {
  const [red, green, blue] = mapChannels(rgbOf(hex), linear);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
}

/** Returns a colour as screens show it; one that they cannot show with as much of its chroma as they can. */
export function hexOfOklch({ l, c, h }: Oklch): string {
  let chroma = c;
  let channels = linearRgb({ l, c: chroma, h });
  while (chroma > 0 && channels.some((part) => part < -0.0005 || part > 1.0005)) {
    chroma = Math.max(0, chroma - 0.004);
    channels = linearRgb({ l, c: chroma, h });
  }
  return hexOf(mapChannels(channels, (part) => Math.min(255, Math.max(0, encoded(Math.max(0, part))))));
}

function linearRgb({ l, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

type Pair = { light: string; dark: string };

type BrandColors = { brand: Pair; hover: Pair; deep: string; onDeep: string };

export const DEFAULT_COLORS: BrandColors = {
  brand: { light: "#0f5a66", dark: "#96d0d7" },
  hover: { light: "#0a404b", dark: "#c2e4e8" },
  deep: "#072d36",
  onDeep: "#eff8f9",
};

/** Holds the contrast that text needs with what is behind it (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

const WHITE = "#ffffff";
export const DARK_INK = "#041a21";
export const LIGHT_SURFACE = "#e9eff1";
const DARK_SURFACE = "#1b292d";

const FOLLOWING = {
  "brand-tint": { light: [0.945, 0.019], dark: [0.3, 0.038] },
  folder: { light: [0.925, 0.03], dark: [0.285, 0.034] },
  "brand-deep": { light: [0.275, 0.044], dark: [0.255, 0.036] },
  "on-deep-2": { light: [0.895, 0.036], dark: [0.895, 0.036] },
} as const;

const DEFAULT_CHROMA = 0.07;

/** Strong colours make it stronger, within limits; grey ones grey. */
const following = ({ c, h }: Oklch, [l, chroma]: readonly [number, number]): string =>
  hexOfOklch({ l, c: chroma * Math.min(1.6, c / DEFAULT_CHROMA), h });

type Direction = { step: number; backgrounds: readonly string[] };

function readable(color: Oklch, { step, backgrounds }: Direction): { l: number; c: number } & { hex: string } {
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

/** `color`: "#0f5a66", or empty for the default. */
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

/** Empty for the default. It holds nothing that HTML would escape. */
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
