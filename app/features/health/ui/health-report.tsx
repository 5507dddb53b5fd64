import { LinkButton } from "~/ui/button";
import { StatusPill } from "~/ui/status-pill";
import { type Column, DataTable } from "~/ui/table";
import { Time } from "~/ui/time";
import { CHECK_STATES } from "../copy";
import type { HealthLine } from "../model";
import { SystemState } from "./system-summary";

type HealthReportProps = {
  /** Lists what was looked at, in the order in which it matters. */
  checks: readonly HealthLine[];
  zone: string;
  /** Holds the address of the same page: opening it again looks again. */
  path: string;
};

/** Shows what the product depends on, each with what was found and when. */
export function HealthReport({ checks, zone, path }: HealthReportProps) {
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
        columns={columns(zone)}
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

const columns = (zone: string): Column<HealthLine>[] => [
  { label: "Check", header: true, wide: true, cell: ({ name }) => name },
  { label: "State", labelled: true, cell: ({ state }) => <StatusPill {...CHECK_STATES[state]} /> },
  { label: "Found", labelled: true, cell: ({ detail }) => detail },
  { label: "Wanted", labelled: true, cell: ({ wanted }) => wanted },
  { label: "How to fix", labelled: true, wide: true, cell: ({ state, fix }) => (state === "ok" ? "—" : fix) },
  { label: "Checked", labelled: true, noWrap: true, cell: ({ at }) => <Time at={at} zone={zone} /> },
];
