import type { SQL } from "drizzle-orm";
import { type Actor, isStaffRole, type Owned } from "~/access/model";
import { can, type SubjectKind } from "~/access/policy";
import { type Db, expectThat, type Statement } from "~/db/client.server";
import type { NamedSubject, Subject, SubjectType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { Config } from "./env.server";

export type FoundSubject = Owned & {
  id: string;
  label: string;
  reference: string | null;
};

type SubjectEntry = SubjectKind & {
  find: (db: Db, ids: readonly string[]) => Promise<FoundSubject[]>;
  exists: (id: string) => SQL;
  /** One that is missing has nothing to say any more, or its recipient may not read it. */
  composeMails?: (ctx: MailComposer, mailIds: readonly string[]) => Promise<ComposedMails>;
  listSendable?: (db: Db, mailIds: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** What stores something about a subject gets its name, address and visibility here, and never reads its table. */
export type SubjectRegistry = Record<SubjectType, SubjectEntry>;

export type MailComposer = { db: Db; config: Config; now: () => Instant };

/** `takesIn`: others to the same person, not claimed yet, whose content this one has. */
export type ComposedMails = ReadonlyMap<string, { to: string; data: unknown; takesIn?: readonly string[] }>;

type SubjectContext = { db: Db; subjects: SubjectRegistry };

export async function findVisibleSubject(
  { db, subjects }: SubjectContext,
  actor: Actor,
  { type, id }: Subject,
): Promise<(NamedSubject & FoundSubject) | null> {
  const { ability, find } = subjects[type];
  const [found] = await find(db, [id]);
  return found && can(actor, ability, found) ? { ...found, type } : null;
}

/** In every batch that stores something about a subject, because nothing would delete that any more. */
export const expectSubject = ({ db, subjects }: SubjectContext, { type, id }: Subject): Statement =>
  expectThat(db, subjects[type].exists(id));

/** Null: there is no page, or the actor may not open it, as clients. */
export function staffPathOf(subjects: SubjectRegistry, actor: Actor, { type, id }: Subject): string | null {
  const { ability, pages } = subjects[type];
  return isStaffRole(actor.role) && can(actor, ability) ? (pages.staff?.(id) ?? null) : null;
}
