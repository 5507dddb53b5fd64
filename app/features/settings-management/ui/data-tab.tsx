import { ExportLink } from "~/ui/export-links";
import { Panel } from "~/ui/panel";

/** Shows what can be taken out of the product. */
export function DataTab({ submissionsFile }: { submissionsFile: string }) {
  return (
    <Panel id="submissions-file" title="All submissions">
      <p className="mb-4 max-w-160 text-ink-2">
        Every submission in one CSV file, resolved and held ones too. We ask for your password and a code first, unless
        you have just confirmed them.
      </p>
      <ExportLink to={submissionsFile} />
    </Panel>
  );
}
