import { brandColors, DARK_INK } from "~/lib/brand-colors";
import { contrast } from "~/lib/color";
import type { Preview } from "../model";

const SIZE = { width: 480, height: 120 };

/** Returns a contrast as people compare it: "4.5:1". Rounded down, so that it promises nothing. */
export const ratio = (one: string, other: string): string =>
  `${(Math.floor(contrast(one, other) * 10) / 10).toFixed(1)}:1`;

/** Draws a button and a link in both themes, with how well they can be read. Loads nothing and needs no script. */
export function colorPreview(color: string): Preview {
  const { light, dark } = brandColors(color).brand;
  const themes = [
    { x: 0, name: "Light", page: "#ffffff", ink: "#3e4d51", own: light, onOwn: "#ffffff" },
    { x: 240, name: "Dark", page: "#111f23", ink: "#b9c5c7", own: dark, onOwn: DARK_INK },
  ];
  const panels = themes.map(
    ({ x, name, page, ink, own, onOwn }) => `<g transform="translate(${x})"><path fill="${page}" d="M0 0h240v120H0z"/>
<text x="16" y="26" fill="${ink}">${name} theme</text><rect x="16" y="40" width="96" height="38" rx="4" fill="${own}"/>
<text x="64" y="64" fill="${onOwn}" font-weight="600" text-anchor="middle">Button</text>
<text x="130" y="64" fill="${own}" text-decoration="underline">A link</text>
<text x="16" y="104" fill="${ink}" font-size="13">${own}, text ${ratio(own, onOwn)}</text></g>`,
  );
  const { width, height } = SIZE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Arial,sans-serif" font-size="15">${panels.join("")}</svg>`;
  const alt = themes.map(({ name, own, onOwn }) => `${name} theme: ${own}, contrast of its text ${ratio(own, onOwn)}`);
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: alt.join(". "), ...SIZE };
}
