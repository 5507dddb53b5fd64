import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Box, EmptyState } from "~/ui/panel";
import { counted, inWords, METRIC_DEFINITIONS, NO_DATA, shareInWords } from "./labels";
import { type Analytics, metShare, type OrganizationMetrics } from "./model";
import { BarChart } from "./overview-panel";
import { analyticsPath, rowsPath } from "./paths";
import { SmallTable } from "./small-table";

const TOP = 10;

export function OrganizationsPanel({
  range,
  metrics,
  activeOrganizations,
  organizations,
  isFirstPage,
}: Pick<Analytics, "range" | "metrics" | "activeOrganizations" | "organizations"> & { isFirstPage: boolean }) {
  const { from, to, created } = metrics;
  const { rows, next } = organizations;
  if (rows.length === 0) return <EmptyState title={NO_DATA.tickets} />;
  const rowsOf = (organization: string) => rowsPath({ of: "created", from, to, organization });
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
      {isFirstPage ? (
        <Box>
          <BarChart
            caption="Top 10 organizations by tickets"
            note={`${counted(created, "ticket")} created in the range`}
            names={["Organization", "Tickets"]}
            total={created}
            hasTable
            bars={rows
              .slice(0, TOP)
              .map(({ id, name, created: count }) => ({ key: id, label: name, count, to: rowsOf(id) }))}
          />
        </Box>
      ) : null}
      <div className="rounded-3 border border-line bg-sheet">
        <SmallTable
          caption={`${counted(activeOrganizations, "active organization")}`}
          note={`${METRIC_DEFINITIONS.activeOrganizations} In promise: ${METRIC_DEFINITIONS.promises}`}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { label: "Organization", cell: ({ id, name }) => <Link to={`${ORGANIZATIONS_PATH}/${id}`}>{name}</Link> },
            { label: "Tickets", cell: ({ id, created: count }) => <Link to={rowsOf(id)}>{inWords(count)}</Link> },
            { label: "Share", cell: ({ created: count }) => shareInWords({ part: count, n: created }) },
            { label: "In promise", cell: (row) => <InPromise row={row} from={from} to={to} /> },
          ]}
        />
        {next ? (
          <p className="border-line border-t px-4 py-3">
            <LinkButton
              variant="quiet"
              size="sm"
              to={`${analyticsPath({ range, tab: "organizations" })}&after=${encodeURIComponent(next)}`}
            >
              Next organizations
            </LinkButton>
          </p>
        ) : null}
      </div>
    </div>
  );
}

function InPromise({ row, from, to }: { row: OrganizationMetrics; from: string; to: string }) {
  const share = metShare(row);
  if (share.n === 0) return shareInWords(share);
  const of = row.missed > 0 ? "missed" : "kept";
  return <Link to={rowsPath({ of, from, to, organization: row.id })}>{shareInWords(share)}</Link>;
}
