import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { listStaff } from "~/features/users/queries.server";
import { fold } from "~/lib/text";
import {
  DATE_FIELDS,
  type DateOrder,
  type FileFacts,
  type ImportField,
  type ImportKind,
  type ImportPreset,
  type Mapping,
  WORD_FIELDS,
  type WordField,
} from "./model";
import { guessFields, knownMeaning, PRESETS } from "./presets";

type Guessed = { kind: ImportKind; preset: ImportPreset; facts: FileFacts };

/** What is known of a file without asking: by its columns, by the words of its product, by what was answered before. */
export async function guessMapping(db: Db, { kind, preset, facts }: Guessed): Promise<Mapping> {
  const names = facts.columns.map(({ name }) => name);
  const fields = guessFields(preset, kind, names);
  const dates = provenOrder(facts, fields) ?? (preset === "generic" ? null : PRESETS[preset].dates);
  const none = { status: {}, priority: {}, assignee: {} };
  return withWords(db, preset, facts, { fields, dates, organizationId: null, words: none });
}

/** A product writes dates as its user has set it. Null: the file does not say, or contradicts itself. */
function provenOrder({ columns }: FileFacts, fields: Mapping["fields"]): DateOrder | null {
  const [order, another] = new Set(columns.flatMap(({ orders = [] }, index) => (isDate(fields[index]) ? orders : [])));
  return another ? null : (order ?? null);
}

const isDate = (field: ImportField | "" | undefined): boolean =>
  field !== undefined && field !== "" && DATE_FIELDS.includes(field);

type AskedWord = { field: WordField; word: string };

/** The words in the columns that are chosen for them. */
export const wordsIn = ({ columns }: FileFacts, fields: readonly (ImportField | "")[]): AskedWord[] =>
  WORD_FIELDS.flatMap((field) => {
    const place = fields.indexOf(field);
    return (columns[place]?.words ?? []).map((word) => ({ field, word }));
  });

/** Adds what is known of the words in the chosen columns to what was said of them. */
export async function withWords(db: Db, preset: ImportPreset, facts: FileFacts, mapping: Mapping): Promise<Mapping> {
  const asked = wordsIn(facts, mapping.fields);
  const [remembered, staff] = await Promise.all([
    db.all<AskedWord & { meaning: string }>(
      sql`SELECT field, word, meaning FROM import_words WHERE source = ${preset} LIMIT 500`,
    ),
    listStaff(db),
  ]);
  const isAssignable = (meaning: string) => meaning === "" || staff.some(({ id }) => id === meaning);
  const words: Mapping["words"] = { status: {}, priority: {}, assignee: {} };
  for (const { field, word } of asked) {
    const known =
      mapping.words[field][word] ??
      remembered.find(
        (one) => one.field === field && one.word === word && (field !== "assignee" || isAssignable(one.meaning)),
      )?.meaning ??
      (field === "assignee" ? staff.find(({ name }) => fold(name) === fold(word))?.id : knownMeaning(field, word));
    if (known !== undefined) words[field][word] = known;
    else if (field === "assignee") words[field][word] = "";
  }
  return { ...mapping, words };
}

/** The words that somebody has to be asked about. */
export const unknownWords = (facts: FileFacts, { fields, words }: Mapping): AskedWord[] =>
  wordsIn(facts, fields).filter(({ field, word }) => words[field][word] === undefined);

/** In the order in which their answers are posted. */
export const namesAsked = (names: Mapping["names"]): string[] => [...(names?.unknown ?? []), ...(names?.settled ?? [])];

export const needsDates = ({ columns, hasUnclearMessages }: FileFacts, { fields }: Pick<Mapping, "fields">): boolean =>
  hasUnclearMessages || columns.some((column, index) => isDate(fields[index]) && column.hasUnclearDates);
