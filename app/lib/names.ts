export const FORMER_MEMBER = "Former member";

/** "Dr. Ines Valverde" → "Ines". What stands for an erased name stays whole. */
export function firstNameOf(name: string): string {
  const whole = name.trim();
  return whole === FORMER_MEMBER ? whole : (whole.split(/\s+/).find((word) => !word.endsWith(".")) ?? whole);
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
