/**
 * Shown until Schibsted is there (docs/decisions/0002): name, weights, fonts, then size, ascent, descent in percent.
 */
const FALLBACKS = [
  ["Schibsted Arial", "400 599", ["Arial", "Liberation Sans", "Helvetica"], 104.8, 93.2, 24.6],
  ["Schibsted Arial", "600 900", ["Arial Bold", "Liberation Sans Bold", "Helvetica Bold"], 102.2, 95.6, 25.2],
  ["Schibsted Roboto", "400 599", ["Roboto"], 104.5, 93.5, 24.7],
  ["Schibsted Roboto", "600 900", ["Roboto Bold"], 107, 91.3, 24.1],
  ["Schibsted DejaVu", "400 599", ["DejaVu Sans", "Verdana"], 91.6, 106.6, 28.1],
  ["Schibsted DejaVu", "600 900", ["DejaVu Sans Bold", "Verdana Bold"], 84.5, 115.6, 30.5],
] as const;

/** Adds the fallbacks to a style sheet, for Tailwind's `@plugin`. */
export default function fallbackFonts({ addBase }: { addBase: (rules: { "@font-face": readonly object[] }) => void }) {
  addBase({
    "@font-face": FALLBACKS.map(([family, weight, names, size, ascent, descent]) => ({
      fontFamily: `"${family}"`,
      src: names.map((name) => `local("${name}")`).join(", "),
      fontWeight: weight,
      sizeAdjust: `${size}%`,
      ascentOverride: `${ascent}%`,
      descentOverride: `${descent}%`,
      lineGapOverride: "0%",
    })),
  });
}
