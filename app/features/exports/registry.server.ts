import type { Ability } from "~/access/policy";
import { activityRows } from "~/features/audit/activity/definition.server";
import type { AuditAction } from "~/features/audit/model";
import type { StaffActor } from "~/features/auth/guards.server";
import { submissionRows } from "~/features/submissions/list/definition.server";
import type { SubjectType } from "~/lib/subject";
import type { ListFile } from "~/lists/define-rows.server";
import type { ListReader } from "~/lists/scope";

/** What is the same of every list, whatever its filter is made of. */
type RegisteredList = { name: string; path: string; sorts: readonly string[]; fields: object };

export type Export = {
  rows: { list: RegisteredList; file: ListFile<ListReader & { actor: StaffActor }> };
  ability: Ability;
  /** Whether rows about people leave the house: that needs a fresh proof of who takes them. */
  personal: boolean;
  /** What is recorded of it. */
  recordedAs: AuditAction;
  about: SubjectType;
};

/** Every list there is, with the ability to take it as a file and how that is recorded. */
const ALL: readonly Export[] = [
  {
    rows: submissionRows,
    ability: "submission.export",
    personal: true,
    recordedAs: "submission.exported",
    about: "submission",
  },
  {
    rows: activityRows,
    ability: "activity.export",
    personal: true,
    recordedAs: "security.activity_exported",
    about: "user",
  },
];

/** The exports by the last part of their address. */
export const EXPORTS: ReadonlyMap<string, Export> = new Map(ALL.map((entry) => [`${entry.rows.list.name}.csv`, entry]));
