import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ExportLink } from "~/ui/export-links";
import { LinkTabs } from "~/ui/tabs";
import type { ListView } from "../../model";
import { type SubmissionFilter, submissionList } from "../definition";

const VIEWS: readonly { view: ListView | null; label: string }[] = [
  { view: null, label: "All" },
  { view: "mine", label: "Mine" },
  { view: "follow_up", label: "To follow up" },
  { view: "held", label: "Held" },
];

const UNFILTERED = submissionList.readFilter(new URLSearchParams());

/** Shows the views of the list as tabs. */
export function ListViews({ filter, held }: { filter: SubmissionFilter; held: number }) {
  return (
    <LinkTabs
      scroll
      label="Lists of submissions"
      items={VIEWS.map(({ view, label }) => ({
        to: submissionList.pathTo({ ...UNFILTERED, view }),
        label,
        count: view === "held" ? held : undefined,
        current: filter.view === view,
      }))}
    />
  );
}

/** Shows the links for the list as a whole. */
export function ListActions({ filter, mayExport }: { filter: SubmissionFilter; mayExport: boolean }) {
  return (
    <ButtonRow dense>
      {filter.recent ? (
        <LinkButton variant="quiet" to={submissionList.path}>
          See All Submissions
        </LinkButton>
      ) : null}
      {mayExport ? (
        <ExportLink to={submissionList.exportPath(new URLSearchParams(submissionList.query(filter)))} />
      ) : null}
    </ButtonRow>
  );
}
