import { expect, test } from "vitest";
import {
  brandColors,
  brandStyle,
  contrast,
  DARK_INK,
  DEFAULT_COLORS,
  hexOfOklch,
  MIN_CONTRAST,
  oklchOf,
} from "~/lib/brand-colors";

test("contrast is that of WCAG, and a colour survives the way through OKLCH", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  for (const hex of ["#0f5a66", "#ff0000", "#00ff00", "#808080", "#ffffff"]) expect(hexOfOklch(oklchOf(hex))).toBe(hex);
});

/** Holds all hues, from pale to strong, from black to white. */
const COLORS = [0, 0x33, 0x80, 0xcc, 0xff].flatMap((red, _, parts) =>
  parts.flatMap((green) =>
    parts.map((blue) => `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`),
  ),
);

test("whatever colour is chosen, text on buttons, and links on every surface, can be read in both themes", () => {
  for (const color of COLORS) {
    const { brand, hover, deep, onDeep } = brandColors(color);
    const style = brandStyle(color);
    const [, tintLight = "", tintDark = ""] = /brand-tint:light-dark\((.{7}),(.{7})\)/.exec(style) ?? [];
    const [, onDeep2 = ""] = /on-deep-2:light-dark\((.{7}),/.exec(style) ?? [];
    const pairs = [
      [brand.light, "#ffffff"],
      [brand.light, "#e9eff1"],
      [brand.light, tintLight],
      [hover.light, "#ffffff"],
      [brand.dark, DARK_INK],
      [brand.dark, "#1b292d"],
      [brand.dark, tintDark],
      [hover.dark, DARK_INK],
      [onDeep, deep],
      [onDeep2, deep],
      // The accent on the deep band.
      ["#f4de61", deep],
    ];
    for (const [one = "", other = ""] of pairs)
      expect(contrast(one, other), `${color}: ${one} on ${other}`).toBeGreaterThanOrEqual(MIN_CONTRAST);
  }
});

test("a colour that can be read is used as it is; one that is too light is darkened, in its hue", () => {
  expect(brandColors("#7a1fa2").brand.light).toBe("#7a1fa2");
  const { brand } = brandColors("#ffcc00");
  expect(brand.dark).toBe(hexOfOklch({ ...oklchOf("#ffcc00"), c: 0.14 }));
  expect(oklchOf(brand.light).h).toBeCloseTo(oklchOf("#ffcc00").h, 1);
  expect(brandColors("")).toBe(DEFAULT_COLORS);
  expect(brandStyle("")).toBe("");
});
