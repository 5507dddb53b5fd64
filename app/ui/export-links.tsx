import { LinkButton } from "./button";
import { Notice } from "./flash";

/** Links to the CSV file of a list. */
export function ExportLink({ to }: { to: string }) {
  return (
    <LinkButton variant="quiet" to={to}>
      Export CSV
    </LinkButton>
  );
}

/** Links to a file that the person asked for before a confirmation of identity. */
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
