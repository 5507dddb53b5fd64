/** Names for utilities that every page of an area or every row repeats: in the markup they would be sent each time. */
export const namedUtilities =
  (utilities: Readonly<Record<string, string>>) =>
  ({ addUtilities }: { addUtilities: (rules: Record<string, Record<string, object>>) => void }) =>
    addUtilities(
      Object.fromEntries(
        Object.entries(utilities).map(([name, classes]) => [`.${name}`, { [`@apply ${classes}`]: {} }]),
      ),
    );
