import { Actions } from "~/ui/actions";
import { LinkButton } from "~/ui/button";
import { Notice } from "~/ui/flash";
import { LinkTabs } from "~/ui/tabs";
import { exportPath, type ListFilter, type ListView, listPath, listQuery } from "../list-filter";

const VIEWS: readonly { view: ListView | null; label: string }[] = [
  { view: null, label: "All" },
  { view: "mine", label: "Mine" },
  { view: "follow_up", label: "To follow up" },
  { view: "held", label: "Held" },
];

const WHOLE: ListFilter = { view: null, status: null, q: "", recent: false, from: null, to: null, sort: "newest" };

/** The lists everybody needs, as tabs. */
export function ListViews({ filter, held }: { filter: ListFilter; held: number }) {
  return (
    <LinkTabs
      scroll
      label="Lists of submissions"
      items={VIEWS.map(({ view, label }) => ({
        to: listPath({ ...WHOLE, view }),
        label,
        count: view === "held" ? held : undefined,
        current: filter.view === view,
      }))}
    />
  );
}

/** What can be done with the list as a whole. */
export function ListActions({ filter, mayExport }: { filter: ListFilter; mayExport: boolean }) {
  return (
    <Actions dense>
      {filter.recent ? (
        <LinkButton variant="quiet" to="/admin/submissions">
          See All Submissions
        </LinkButton>
      ) : null}
      {mayExport ? (
        <LinkButton variant="quiet" to={exportPath(new URLSearchParams(listQuery(filter)))}>
          Export CSV
        </LinkButton>
      ) : null}
    </Actions>
  );
}

/** The way to a file that had to wait until the person had proved who they are. */
export function ReadyFile({ to }: { to: string }) {
  return (
    <Notice
      kind="info"
      title="Your export is ready."
      message={
        <LinkButton variant="quiet" size="sm" to={to}>
          Download CSV
        </LinkButton>
      }
    />
  );
}
