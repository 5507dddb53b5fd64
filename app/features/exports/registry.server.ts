import type { Ability } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import { submissionExport } from "~/features/submissions/list/export-submissions.server";
import type { CsvCell } from "~/lib/csv";
import type { Ctx } from "~/platform/context.server";

/** Rows in the order of the file, as many at a time as are read at a time. */
export type ExportRows = AsyncIterable<readonly CsvCell[][]>;

export type Export = {
  ability: Ability;
  /** Whether rows about people leave the house: that needs a fresh proof of who takes them. */
  personal: boolean;
  /** The name it is saved under. */
  fileName: (day: string) => string;
  /** Where to go when it fails. */
  listPath: string;
  header: readonly string[];
  rows: (ctx: Ctx, actor: StaffActor, query: { params: URLSearchParams; zone: string }) => ExportRows;
  /** Records that it was taken, with the number of rows that left. */
  record: (ctx: Ctx, outcome: { rows: number; complete: boolean }) => Promise<unknown>;
};

/** What can be taken as a file, by the last part of its address. */
export const EXPORTS: Record<string, Export | undefined> = { "submissions.csv": submissionExport };
