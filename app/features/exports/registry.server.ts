import type { Ability } from "~/access/policy";
import { activityRows } from "~/features/audit/activity/definition.server";
import type { AuditAction } from "~/features/audit/model";
import type { StaffActor } from "~/features/auth/guards.server";
import { submissionRows } from "~/features/submissions/list/definition.server";
import type { SubjectType } from "~/lib/subject";
import type { ListViewer } from "~/lists/criteria";
import type { ListExport } from "~/lists/define-rows.server";

/** Describes what is used of a list, whatever its filters are. */
type RegisteredList = { name: string; path: string; sorts: readonly string[]; fields: object };

export type Export = {
  rows: { list: RegisteredList; csvExport: ListExport<ListViewer & { actor: StaffActor }> };
  ability: Ability;
  /** Tells whether the file contains personal data. Then it needs a fresh proof of identity. */
  isPersonal: boolean;
  /** The action that the audit records. */
  auditAction: AuditAction;
  about: SubjectType;
};

/** Lists every export, with the ability it needs and how it is recorded. */
const ALL: readonly Export[] = [
  {
    rows: submissionRows,
    ability: "submission.export",
    isPersonal: true,
    auditAction: "submission.exported",
    about: "submission",
  },
  {
    rows: activityRows,
    ability: "activity.export",
    isPersonal: true,
    auditAction: "security.activity_exported",
    about: "user",
  },
];

/** Maps the file name in an address, `submissions.csv`, to its export. */
export const EXPORTS: ReadonlyMap<string, Export> = new Map(ALL.map((entry) => [`${entry.rows.list.name}.csv`, entry]));
