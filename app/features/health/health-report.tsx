import { plural } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { EmptyState, Panel } from "~/ui/page";
import { StatusPill } from "~/ui/status-pill";
import { type Column, DataTable } from "~/ui/table";
import { Mono, Time } from "~/ui/text";
import { CHECK_STATES } from "./labels";
import type { HealthLine, Installation, JobRow, MissingPath, MissingPathCounts, PageViews } from "./model";
import { SystemState } from "./system-summary";

export function HealthReport({ checks, zone, path }: { checks: readonly HealthLine[]; zone: string; path: string }) {
  const well = checks.every(({ state }) => state !== "attention");
  return (
    <section className="grid gap-[0.9rem]" aria-labelledby="health-title">
      <h2 className="text-md" id="health-title">
        System Status
      </h2>
      <SystemState operational={well} />
      <DataTable
        id="health"
        caption="Database and file store are tried every minute, the rest when this page is opened"
        columns={lineColumns(zone)}
        rows={checks}
        rowKey={({ name }) => name}
        empty={null}
      />
      <p>
        <LinkButton variant="quiet" to={path}>
          Check again
        </LinkButton>
      </p>
    </section>
  );
}

const lineColumns = (zone: string): Column<HealthLine>[] => [
  { label: "Check", header: true, wide: true, cell: ({ name }) => name },
  { label: "State", labelled: true, cell: ({ state }) => <StatusPill {...CHECK_STATES[state]} /> },
  { label: "Found", labelled: true, cell: ({ detail }) => detail },
  { label: "Wanted", labelled: true, cell: ({ wanted }) => wanted },
  { label: "How to fix", labelled: true, wide: true, cell: ({ state, fix }) => (state === "ok" ? "—" : fix) },
  { label: "Checked", labelled: true, noWrap: true, cell: ({ at }) => <Time at={at} zone={zone} /> },
];

export function InstallationReport({ facts, room, migrations, jobs, zone }: Installation & { zone: string }) {
  return (
    <>
      <Panel id="installed" title="Installed">
        <FactList facts={facts} terms="medium" />
        <details className="mt-4">
          <summary>What takes the room in the database</summary>
          <div className="mt-2">
            <FactList facts={room} terms="long" />
          </div>
        </details>
        <details className="mt-4">
          <summary>{`${migrations.length} migrations, the newest ${migrations[0] ?? "none"}`}</summary>
          <ol className="mt-2">
            {migrations.map((name) => (
              <li key={name}>
                <Mono className="wrap-anywhere">{name}</Mono>
              </li>
            ))}
          </ol>
        </details>
      </Panel>
      <section className="grid gap-[0.9rem]" aria-labelledby="jobs-title">
        <h2 className="text-md" id="jobs-title">
          Jobs
        </h2>
        <DataTable
          id="jobs"
          caption="What runs by itself, with its last success and its last error"
          columns={jobColumns(zone)}
          rows={jobs}
          rowKey={({ name }) => name}
          empty={<p>Nothing has run yet.</p>}
        />
      </section>
    </>
  );
}

const jobColumns = (zone: string): Column<JobRow>[] => [
  { label: "Job", header: true, wide: true, cell: ({ name }) => name },
  {
    label: "Last success",
    labelled: true,
    noWrap: true,
    cell: ({ lastOk }) => (lastOk === null ? "Never" : <Time at={lastOk} zone={zone} />),
  },
  { label: "Next", labelled: true, noWrap: true, cell: ({ nextDue }) => <Time at={nextDue} zone={zone} /> },
  { label: "Last error", labelled: true, cell: ({ error }) => error ?? "None" },
];

export function MissingPaths({ paths, otherRequests }: MissingPathCounts) {
  return (
    <section className="mt-7 grid gap-[0.9rem]" aria-labelledby="missing-title">
      <h2 className="text-md" id="missing-title">
        Pages not found
      </h2>
      <DataTable
        id="missing"
        caption="The most requested addresses without a page, by day (UTC). Kept for 30 days"
        columns={PATH_COLUMNS}
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

const PATH_COLUMNS: Column<MissingPath>[] = [
  {
    label: "Address",
    header: true,
    wide: true,
    cell: ({ path }) => <Mono className="wrap-anywhere">{path}</Mono>,
  },
  { label: "Requests", labelled: true, cell: ({ hits }) => hits.toLocaleString("en-US") },
  { label: "Day", labelled: true, noWrap: true, cell: ({ day }) => day },
];

export function PageViewTable({ pages }: { pages: readonly PageViews[] }) {
  return (
    <section className="mt-7 grid gap-[0.9rem]" aria-labelledby="views-title">
      <h2 className="text-md" id="views-title">
        Page views
      </h2>
      <DataTable
        id="views"
        caption="Public pages of the last 30 days, counted by day without cookies. Kept for 400 days"
        columns={VIEW_COLUMNS}
        rows={pages}
        rowKey={({ path }) => path}
        empty={<EmptyState title="No page views" body="Nothing was counted in the last 30 days." />}
      />
    </section>
  );
}

const VIEW_COLUMNS: Column<PageViews>[] = [
  { label: "Page", header: true, wide: true, cell: ({ path }) => <Mono className="wrap-anywhere">{path}</Mono> },
  { label: "Views", labelled: true, cell: ({ views }) => views.toLocaleString("en-US") },
];
