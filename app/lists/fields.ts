import { isDay } from "~/lib/time";

/** One thing a list can be narrowed by: how it is read from an address and written back into it. */
export type FilterField<Value> = {
  /** Its name in the address, where that is not the name of the field. */
  param?: string;
  /** Reads what the address says. What is absent or malformed is the value that narrows nothing. */
  read: (text: string) => Value;
  /** Writes a value for an address; `null` for the one that narrows nothing. */
  write: (value: Value) => string | null;
};

/** Longest search somebody may type, in characters. */
export const SEARCH_MAX = 200;

const CONTROL = /\p{Cc}+/gu;

/** Text to search for, as typed. Control characters count as spaces. */
export const searchField = (): FilterField<string> => ({
  read: (text) => [...text.replace(CONTROL, " ").trim()].slice(0, SEARCH_MAX).join(""),
  write: (text) => text || null,
});

/** One of a few words. */
export const choiceField = <Choice extends string>(choices: readonly Choice[]): FilterField<Choice | null> => ({
  read: (text) => choices.find((choice) => choice === text) ?? null,
  write: (choice) => choice,
});

/** Something that is on or not: `flagField("filter", "recent")` is on at `?filter=recent`. */
export const flagField = (param: string, word: string): FilterField<boolean> => ({
  param,
  read: (text) => text === word,
  write: (isOn) => (isOn ? word : null),
});

/** A calendar day, `YYYY-MM-DD`. */
export const dayField = (): FilterField<string | null> => ({
  read: (text) => (isDay(text) ? text : null),
  write: (day) => day,
});
