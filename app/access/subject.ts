import type { SubjectType } from "~/lib/subject";
import type { Ability } from "./policy";

/** Describes a type of subject, on the server and in the browser. */
export type SubjectKind = {
  /** Names the type in a sentence, as in "Open the submission". */
  noun: string;
  /** Holds the prefix of its ids: `sub` in `sub_01JD…`. */
  idPrefix: string;
  /** Names the ability that is needed to see one, and everything that is written about it. */
  ability: Ability;
  /** Returns the path of its page, for staff and for clients. Missing: there is no such page. */
  pages: Partial<Record<"staff" | "client", (id: string) => string>>;
  /** Holds the path of the list for staff. */
  listPath?: string;
};

export type SubjectKinds = Record<SubjectType, SubjectKind>;
