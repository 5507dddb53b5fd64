import type { SubjectType } from "~/lib/subject";
import type { Ability } from "./policy";

/** Describes a kind of subject, for server and browser alike. */
export type SubjectKind = {
  /** As in "Open the submission". */
  noun: string;
  /** Beginning of its ids: `sub` in `sub_01JD…`. */
  idPrefix: string;
  /** Needed to see one, and everything that is written about it. */
  ability: Ability;
  /** Address of the page of one, for staff and for clients. Missing while there is no such page. */
  pages: Partial<Record<"staff" | "client", (id: string) => string>>;
  /** Address of the list of all. */
  listPath?: string;
};

export type SubjectKinds = Record<SubjectType, SubjectKind>;
