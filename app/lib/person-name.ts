/** Stands for the name of somebody who was erased. */
export const FORMER_MEMBER = "Former member";

/**
 * Returns the first word of a name, which people are addressed by: "Dr. Ines Valverde" → "Ines". What stands for an
 * erased name stays whole.
 */
export function firstNameOf(name: string): string {
  const whole = name.trim();
  return whole === FORMER_MEMBER ? whole : (whole.split(/\s+/).find((word) => !word.endsWith(".")) ?? whole);
}
