import { isId } from "~/lib/ids";
import { isDay } from "~/lib/time";

/** Describes one filter of a list: how it is parsed from an address and formatted for one. */
export type FilterField<Value> = {
  /** Names the parameter of the field in the address, where that is not the name of the field. */
  param?: string;
  /** Parses the parameter. If it is absent or malformed, the value is the one that filters nothing. */
  parse: (text: string) => Value;
  /** Formats a value for an address; `null` for the one that filters nothing. */
  format: (value: Value) => string | null;
};

/** Limits how many characters somebody may type as a search. */
export const SEARCH_MAX = 200;

const CONTROL = /\p{Cc}+/gu;

/** Makes a field for text to search for, as typed. Control characters count as spaces. */
export const searchField = (): FilterField<string> => ({
  parse: (text) => [...text.replace(CONTROL, " ").trim()].slice(0, SEARCH_MAX).join(""),
  format: (text) => text || null,
});

/** Makes a field for one of a few values. */
export const choiceField = <Choice extends string>(choices: readonly Choice[]): FilterField<Choice | null> => ({
  parse: (text) => choices.find((choice) => choice === text) ?? null,
  format: (choice) => choice,
});

/** Makes a field for the id of something: `idField("org")`. */
export const idField = (prefix: string): FilterField<string | null> => ({
  parse: (text) => (isId(prefix, text) ? text : null),
  format: (id) => id,
});

/** Makes a field that is on or off: `flagField("filter", "recent")` is on at `?filter=recent`. */
export const flagField = (param: string, value: string): FilterField<boolean> => ({
  param,
  parse: (text) => text === value,
  format: (isOn) => (isOn ? value : null),
});

/** Makes a field for a calendar day, `YYYY-MM-DD`. */
export const dayField = (): FilterField<string | null> => ({
  parse: (text) => (isDay(text) ? text : null),
  format: (day) => day,
});
