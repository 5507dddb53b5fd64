/** What a reader may choose: the theme of their system, or always the same one. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** `system` also stands for anything else, such as a value of another version. */
export const themeFrom = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? "system";

/** The theme as the document was given it by the root; that of the system where the root could not answer. */
export function themeIn(matches: readonly { id: string; data?: unknown }[]): Theme {
  const root = matches.find(({ id }) => id === "root")?.data as { theme?: Theme } | undefined;
  return root?.theme ?? "system";
}

/** Colour of the page itself, for the bars a browser draws around it: `--color-page` of the tokens. */
export const PAGE_COLORS = { light: "#f1f6f7", dark: "#091518" } as const;
