import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { CsvCell } from "~/lib/csv";
import { referenceNumber } from "~/lib/reference-number";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/time-ago";
import { STATUS_LABELS } from "../copy";
import { BULK_LIMIT } from "../model";
import { isBackwards, listFilter, scopeOf } from "./list-filter";
import { type ExportedRow, readForExport, readPickedForExport } from "./list-queries.server";

/** Rows read at a time. */
const STRETCH = 500;

/** Contact requests as a file: exactly those of the filter in the address, or those named in it one by one. */
export const submissionExport = {
  ability: "submission.export" as const,
  personal: true,
  fileName: (day: string) => `submissions-${day}.csv`,
  listPath: "/admin/submissions",
  header: [
    "Number",
    "First name",
    "Last name",
    "Email",
    "Phone",
    "Company",
    "Status",
    "Submitted (UTC)",
    "Submitted (site time)",
    "Message",
    "Source",
    "Campaign",
  ],
  rows: submissionRows,
  record: (ctx: Ctx, outcome: { rows: number; complete: boolean }) =>
    commit(ctx.db, [
      recordAudit(ctx, "submission.exported", {
        subject: { type: "submission", id: null, label: null },
        meta: outcome,
      }),
    ]),
};

async function* submissionRows(
  ctx: Ctx,
  actor: StaffActor,
  { params, zone }: { params: URLSearchParams; zone: string },
): AsyncGenerator<CsvCell[][]> {
  const ids = params.get("ids");
  if (ids !== null) {
    const rows = await readPickedForExport(ctx.db, ids.split(",").slice(0, BULK_LIMIT));
    yield rows.map((row) => cells(row, zone));
    return;
  }
  const filter = listFilter(params);
  if (isBackwards(filter)) return;
  const scope = scopeOf(filter, { zone, now: ctx.now(), userId: actor.userId });
  let after: ExportedRow | null = null;
  for (;;) {
    const rows: ExportedRow[] = await readForExport(ctx.db, scope, { after, limit: STRETCH });
    if (rows.length > 0) yield rows.map((row) => cells(row, zone));
    if (rows.length < STRETCH) return;
    after = rows.at(-1) ?? null;
  }
}

const cells = (row: ExportedRow, zone: string): CsvCell[] => [
  referenceNumber("submission", row.number),
  row.first_name,
  row.last_name,
  row.email,
  row.phone,
  row.company,
  STATUS_LABELS[row.status],
  isoOf(row.created_at),
  formatInstant(row.created_at, zone, "datetime"),
  row.message,
  row.source,
  row.campaign,
];

const isoOf = (at: Instant) => new Date(at).toISOString();
