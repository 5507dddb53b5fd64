import { plural } from "~/lib/text";
import { EmptyState } from "~/ui/empty-state";
import { Mono } from "~/ui/mono";
import { type Column, DataTable } from "~/ui/table";
import type { MissingPaths as Missing, MissingPath } from "../model";

/** Shows which addresses without a page people and robots ask for: a broken link shows up here. */
export function MissingPaths({ paths, otherRequests }: Missing) {
  return (
    <section className="mt-7 grid gap-[0.9rem]" aria-labelledby="missing-title">
      <h2 className="text-md" id="missing-title">
        Pages not found
      </h2>
      <DataTable
        id="missing"
        caption="The most requested addresses without a page, by day (UTC). Kept for 30 days"
        columns={COLUMNS}
        rows={paths}
        rowKey={({ day, path }) => `${day} ${path}`}
        empty={<EmptyState title="Nothing here" body="Every address that was asked for in the last 30 days exists." />}
      />
      {otherRequests > 0 ? (
        <p className="text-ink-2 text-sm">{`… and ${plural(otherRequests, "request")} to other addresses`}</p>
      ) : null}
    </section>
  );
}

const COLUMNS: Column<MissingPath>[] = [
  {
    label: "Address",
    header: true,
    wide: true,
    cell: ({ path }) => <Mono className="wrap-anywhere">{path}</Mono>,
  },
  { label: "Requests", labelled: true, cell: ({ hits }) => hits.toLocaleString("en-US") },
  { label: "Day", labelled: true, noWrap: true, cell: ({ day }) => day },
];
