import { LinkButton } from "~/ui/button";
import { Panel } from "~/ui/panel";

/** Leads to everything that is stored, as files. */
export function FullExport({ to }: { to: string }) {
  return (
    <Panel id="full-export" title="Full export">
      <p className="mb-4 max-w-160 text-ink-2">
        Everything that you own in one ZIP file, to keep or to take elsewhere. It asks for your password and a code.
      </p>
      <LinkButton variant="quiet" to={to}>
        Download all
      </LinkButton>
    </Panel>
  );
}
