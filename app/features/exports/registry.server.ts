import type { Ability } from "~/access/policy";
import { activityRows } from "~/features/audit/activity/definition.server";
import type { AuditAction } from "~/features/audit/model";
import type { StaffActor } from "~/features/auth/guards.server";
import { submissionRows } from "~/features/submissions/list/definition.server";
import type { SubjectType } from "~/lib/subject";
import type { ListFile } from "~/lists/define-rows.server";
import type { ListReader } from "~/lists/scope";

export type Export = {
  file: ListFile<ListReader & { actor: StaffActor }>;
  ability: Ability;
  /** Whether rows about people leave the house: that needs a fresh proof of who takes them. */
  personal: boolean;
  /** What is recorded of it. */
  recordedAs: AuditAction;
  about: SubjectType;
};

/** What can be taken as a file: a list, its ability and how that is recorded. */
const ALL: readonly Export[] = [
  {
    file: submissionRows.file,
    ability: "submission.export",
    personal: true,
    recordedAs: "submission.exported",
    about: "submission",
  },
  {
    file: activityRows.file,
    ability: "activity.export",
    personal: true,
    recordedAs: "security.activity_exported",
    about: "user",
  },
];

/** The exports by the last part of their address. */
export const EXPORTS: ReadonlyMap<string, Export> = new Map(ALL.map((entry) => [`${entry.file.name}.csv`, entry]));
