/** The letter in front of the numbers people quote. */
const LETTERS = { submission: "L", ticket: "T", quote: "Q" } as const;

/** A number as people quote it: `recordNumber("submission", 1001)` → `L-1001`. */
export const recordNumber = (kind: keyof typeof LETTERS, number: number): string => `${LETTERS[kind]}-${number}`;
