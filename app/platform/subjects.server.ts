import type { SQL } from "drizzle-orm";
import { type Actor, isStaffRole, type Owned } from "~/access/model";
import { can } from "~/access/policy";
import type { SubjectKind } from "~/access/subject";
import { type Db, expectThat, type Statement } from "~/db/client.server";
import type { NamedSubject, Subject, SubjectType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { Config } from "./env.server";

/** Describes an existing subject and its owner. */
export type FoundSubject = Owned & {
  id: string;
  /** Holds the current name. */
  label: string;
  /** Holds the reference number, such as `L-1001`; null: it has none. */
  reference: string | null;
};

type SubjectEntry = SubjectKind & {
  /** Returns the existing subjects among the ids. */
  find: (db: Db, ids: readonly string[]) => Promise<FoundSubject[]>;
  /** Returns the condition that the subject still exists. */
  exists: (id: string) => SQL;
  /**
   * Returns recipient and data of mails about such subjects, by the ids of the mails, when they leave. One that is
   * missing has nothing to say any more, or its recipient may not read it.
   */
  composeMails?: (ctx: MailComposer, mailIds: readonly string[]) => Promise<ComposedMails>;
  /** Returns which of such mails may still be sent: a mail that waits for a second attempt may have lost its reader. */
  listSendable?: (db: Db, mailIds: readonly string[]) => Promise<ReadonlySet<string>>;
};

/**
 * Holds an entry for each type of subject. Features that store something about a subject get its name, address and
 * visibility here, and never read its table. Built in `features/workspace/subject-registry.server.ts`.
 */
export type SubjectRegistry = Record<SubjectType, SubjectEntry>;

/** Holds what composing needs. */
export type MailComposer = { db: Db; config: Config; now: () => Instant };

/** Holds mails by their ids. `takesIn`: others to the same person, not claimed yet, whose content this one has. */
export type ComposedMails = ReadonlyMap<string, { to: string; data: unknown; takesIn?: readonly string[] }>;

type SubjectContext = { db: Db; subjects: SubjectRegistry };

/** Finds a subject that the actor may see. Null when it does not exist or the actor may not see it. */
export async function findVisibleSubject(
  { db, subjects }: SubjectContext,
  actor: Actor,
  { type, id }: Subject,
): Promise<(NamedSubject & FoundSubject) | null> {
  const { ability, find } = subjects[type];
  const [found] = await find(db, [id]);
  return found && can(actor, ability, found) ? { ...found, type } : null;
}

/**
 * Fails the batch if the subject has been deleted since it was found. It belongs in every batch that stores something
 * about a subject, because nothing would delete that any more.
 */
export const expectSubject = ({ db, subjects }: SubjectContext, { type, id }: Subject): Statement =>
  expectThat(db, subjects[type].exists(id));

/** Returns the path of a subject's page for staff. Null: there is no page, or the actor may not open it, as clients. */
export function staffPathOf(subjects: SubjectRegistry, actor: Actor, { type, id }: Subject): string | null {
  const { ability, pages } = subjects[type];
  return isStaffRole(actor.role) && can(actor, ability) ? (pages.staff?.(id) ?? null) : null;
}
