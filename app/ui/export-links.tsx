import { LinkButton } from "./button";
import { Notice } from "./page";

export function ExportLink({ to }: { to: string }) {
  return (
    <LinkButton variant="quiet" to={to}>
      Export CSV
    </LinkButton>
  );
}

/** `content`: what is in it, such as "12 submissions". */
export function ReadyFile({ to, content }: { to: string; content: string }) {
  return (
    <Notice
      kind="info"
      title="Export Complete"
      message={
        <>
          {`The file has ${content}. `}
          <LinkButton variant="quiet" size="sm" to={to}>
            Download CSV
          </LinkButton>
        </>
      }
    />
  );
}
