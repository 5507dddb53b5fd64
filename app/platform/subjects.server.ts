import type { Actor, Owned } from "~/access/model";
import { can } from "~/access/policy";
import type { SubjectKind } from "~/access/subject";
import type { Db } from "~/db/client.server";
import type { NamedSubject, Subject, SubjectType } from "~/lib/subject";

/** Describes a subject that exists, and whose it is. */
export type FoundSubject = Owned & {
  id: string;
  /** Its present name. */
  label: string;
  /** As people quote it, such as `L-1001`; null for what has no number. */
  reference: string | null;
};

export type SubjectEntry = SubjectKind & {
  /** Reads those of these ids that exist. */
  find: (db: Db, ids: readonly string[]) => Promise<FoundSubject[]>;
};

/**
 * Holds every kind of subject. Features that store something about subjects ask here for name, address and visibility,
 * and never read another feature's table. Assembled in `features/workspace/subject-registry.server.ts`.
 */
export type SubjectRegistry = Record<SubjectType, SubjectEntry>;

type SubjectReader = { db: Db; subjects: SubjectRegistry };

/** Reads a subject that this person may see. Null when there is none, or it is not for them: nobody can tell which. */
export async function findVisibleSubject(
  { db, subjects }: SubjectReader,
  actor: Actor,
  { type, id }: Subject,
): Promise<(NamedSubject & FoundSubject) | null> {
  const { ability, find } = subjects[type];
  const [found] = await find(db, [id]);
  return found && can(actor, ability, found) ? { ...found, type } : null;
}

/** Returns the address of a subject's page for staff; null where there is no page, or none this person may open. */
export function staffPathOf(subjects: SubjectRegistry, actor: Actor, { type, id }: Subject): string | null {
  const { ability, pages } = subjects[type];
  return can(actor, ability) ? (pages.staff?.(id) ?? null) : null;
}
