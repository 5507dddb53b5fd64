import type { SubjectType } from "~/lib/subject";
import type { Ability } from "./policy";

export type SubjectKind = {
  /** Names the type in a sentence, as in "Open the submission". */
  noun: string;
  /** Holds the prefix of its ids: `sub` in `sub_01JD…`. */
  idPrefix: string;
  ability: Ability;
  pages: Partial<Record<"staff" | "client", (id: string) => string>>;
  listPath?: string;
};

export type SubjectKinds = Record<SubjectType, SubjectKind>;
