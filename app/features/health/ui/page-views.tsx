import { EmptyState } from "~/ui/empty-state";
import { Mono } from "~/ui/mono";
import { type Column, DataTable } from "~/ui/table";
import type { PageViews } from "../model";

/** Shows how often the public pages were opened. */
export function PageViewTable({ pages }: { pages: readonly PageViews[] }) {
  return (
    <section className="mt-7 grid gap-[0.9rem]" aria-labelledby="views-title">
      <h2 className="text-md" id="views-title">
        Page views
      </h2>
      <DataTable
        id="views"
        caption="Public pages of the last 30 days, counted by day without cookies. Kept for 400 days"
        columns={COLUMNS}
        rows={pages}
        rowKey={({ path }) => path}
        empty={<EmptyState title="No page views" body="Nothing was counted in the last 30 days." />}
      />
    </section>
  );
}

const COLUMNS: Column<PageViews>[] = [
  { label: "Page", header: true, wide: true, cell: ({ path }) => <Mono className="wrap-anywhere">{path}</Mono> },
  { label: "Views", labelled: true, cell: ({ views }) => views.toLocaleString("en-US") },
];
