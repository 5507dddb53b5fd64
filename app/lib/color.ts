/** Holds a colour as red, green and blue, 0 to 255 each. */
type Rgb = readonly [number, number, number];

/**
 * Holds a colour in OKLCH: lightness 0 to 1, chroma, and hue in radians. See https://bottosson.github.io/posts/oklab.
 */
export type Oklch = { l: number; c: number; h: number };

/** Matches a colour as it is stored: "#0f5a66". */
export const HEX_COLOR = /^#[0-9a-f]{6}$/;

/** Reads "#0f5a66". */
export const rgbOf = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
};

/** Returns the colour whose channels are made of those of another one. */
const mapChannels = ([red, green, blue]: Rgb, change: (channel: number, index: 0 | 1 | 2) => number): Rgb => [
  change(red, 0),
  change(green, 1),
  change(blue, 2),
];

/** Writes a colour as "#0f5a66". */
const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

const linear = (channel: number) => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const encoded = (part: number) => 255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);

/** Returns the contrast of two colours, 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = mapChannels(rgbOf(hex), linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Converts a colour, "#0f5a66", to lightness (0 to 1), chroma and hue. */
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
