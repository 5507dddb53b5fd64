type Tailwind = { addUtilities: (rules: Record<string, Record<string, object>>) => void };

/**
 * Makes a plugin for Tailwind's `@plugin`, of names and the utilities that each stands for. What every page of an area
 * or every row of a list repeats has such a name: its utilities, written into the markup, would be sent with each page.
 */
export const looks =
  (utilities: Readonly<Record<string, string>>) =>
  ({ addUtilities }: Tailwind) =>
    addUtilities(
      Object.fromEntries(
        Object.entries(utilities).map(([name, classes]) => [`.${name}`, { [`@apply ${classes}`]: {} }]),
      ),
    );
