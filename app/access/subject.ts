import type { SubjectType } from "~/lib/subject";
import type { Ability } from "./policy";

/** What a feature says about its kind of subject; the same on both sides. */
export type SubjectKind = {
  /** As in "Open the submission". */
  noun: string;
  /** What its ids begin with: `sub` in `sub_01JD…`. */
  idPrefix: string;
  /** What somebody must be able to do to see one, and all that is written about it. */
  ability: Ability;
  /** Where one is shown, to staff and to clients. Missing while there is no such page. */
  pages: Partial<Record<"staff" | "client", (id: string) => string>>;
  /** Where staff see many. */
  listPath?: string;
};

export type SubjectKinds = Record<SubjectType, SubjectKind>;
