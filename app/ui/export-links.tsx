import { LinkButton } from "./button";
import { Notice } from "./flash";

/** Leads to the list as a file. */
export function ExportLink({ to }: { to: string }) {
  return (
    <LinkButton variant="quiet" to={to}>
      Export CSV
    </LinkButton>
  );
}

/** Leads to a file that had to wait until the person had proved who they are. */
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
