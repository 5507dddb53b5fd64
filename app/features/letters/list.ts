import { choiceField, defineList, type FilterOf, searchField } from "~/lists/define-list";
import { CLIENT_LETTERS_PATH, LETTERS_PATH } from "./model";

const NOUN = { one: "letter", many: "letters" };
const BY_MONTH = { month: { ascending: "oldest", descending: "newest", isTime: true } } as const;
const SORT_LABELS = { newest: "Newest month first", oldest: "Oldest month first" };

/** The drafts, or what was released. */
export const letterList = defineList({
  name: "letters",
  ability: "letter.handle",
  path: LETTERS_PATH,
  csvPath: "/admin/exports/letters.csv",
  noun: NOUN,
  fields: { status: choiceField(["released"] as const), q: searchField() },
  orders: BY_MONTH,
  defaultSort: "newest",
  sortLabels: SORT_LABELS,
  // Its tabs say which status is shown.
  describe: ({ q }) => [{ label: q ? `“${q}”` : null, fields: ["q"] }],
});

export const ownLetterList = defineList({
  name: "letters",
  ability: "letter.read",
  path: CLIENT_LETTERS_PATH,
  csvPath: "/client/exports/letters.csv",
  noun: NOUN,
  fields: {},
  orders: BY_MONTH,
  defaultSort: "newest",
  sortLabels: SORT_LABELS,
  describe: () => [],
});

export type LetterFilter = FilterOf<typeof letterList>;
export type OwnLetterFilter = FilterOf<typeof ownLetterList>;
