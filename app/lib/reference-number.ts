const PREFIXES = { submission: "L", ticket: "T", quote: "Q" } as const;

/** Formats a number for people to quote: `referenceNumber("submission", 1001)` → `L-1001`. */
export const referenceNumber = (type: keyof typeof PREFIXES, number: number): string => `${PREFIXES[type]}-${number}`;
