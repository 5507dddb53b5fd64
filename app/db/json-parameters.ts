/**
 * Limits the characters in one statement. A statement takes parameters of two million bytes at most; a character takes
 * up to four bytes.
 */
const CHARACTERS_PER_STATEMENT = 400_000;

/** Returns rows as JSON lists, in as few as the length of a parameter allows. */
export function jsonParameters(rows: readonly object[]): string[] {
  const groups: string[][] = [];
  let characters = CHARACTERS_PER_STATEMENT;
  for (const row of rows) {
    const text = JSON.stringify(row);
    characters += text.length;
    if (characters > CHARACTERS_PER_STATEMENT) {
      groups.push([]);
      characters = text.length;
    }
    groups.at(-1)?.push(text);
  }
  return groups.map((texts) => `[${texts.join(",")}]`);
}
