const GLYPHS = {
  open: "",
  progress: "<path d='M12 3a9 9 0 0 1 0 18z' fill='#000'/>",
  waiting: "<path d='M10 15V9M14 15V9'/>",
  resolved: "<path d='m16 9-5.5 5.5L8 12'/>",
  closed: "<path d='M8 12h8'/>",
};

const svg = (glyph: string) =>
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#000' stroke-width='2'><circle cx='12' cy='12' r='9'/>${glyph}</svg>`;

const escapeUrl = (text: string) => text.replace(/[<>#]/g, encodeURIComponent);

type Tailwind = { addUtilities: (rules: Record<string, Record<string, string>>) => void };

/** `tone-` and the state: variables for the colours and the glyph of a control that shows the state. */
export default function stateTones({ addUtilities }: Tailwind) {
  for (const [tone, glyph] of Object.entries(GLYPHS)) {
    addUtilities({
      [`.tone-${tone}`]: {
        "--glyph": `url("data:image/svg+xml,${escapeUrl(svg(glyph))}")`,
        "--tone": `var(--color-${tone})`,
        "--tint": `var(--color-${tone}-tint)`,
        "--dot": `var(--color-${tone}-dot)`,
      },
    });
  }
}
