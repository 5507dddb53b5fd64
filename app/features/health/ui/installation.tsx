import { FactList } from "~/ui/fact-list";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { type Column, DataTable } from "~/ui/table";
import { Time } from "~/ui/time";
import type { Installation, JobRow } from "../model";

/** Shows what is installed, how full it is, and when each job ran. */
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
          columns={columns(zone)}
          rows={jobs}
          rowKey={({ name }) => name}
          empty={<p>Nothing has run yet.</p>}
        />
      </section>
    </>
  );
}

const columns = (zone: string): Column<JobRow>[] => [
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
