import { LinkButton } from "~/ui/button";
import { Panel } from "~/ui/panel";

/** Shows what can be taken out of the product. */
export function DataTab({ submissionsFile, privacy }: { submissionsFile: string; privacy: string }) {
  return (
    <>
      <Panel id="submissions-file" title="All submissions">
        <p className="mb-4 max-w-160 text-ink-2">
          Every submission in one CSV file, resolved ones too; those held for review have a file of their own in the
          list. We ask for your password and a code first, unless you have just confirmed them.
        </p>
        <LinkButton variant="quiet" to={submissionsFile}>
          Export CSV
        </LinkButton>
      </Panel>
      <Panel id="privacy" title="Privacy">
        <p className="mb-4 max-w-160 text-ink-2">
          What retention has deleted, what is on legal hold, who agreed to what, and what is stored about a person, with
          or without an account.
        </p>
        <LinkButton variant="quiet" to={privacy}>
          Open privacy
        </LinkButton>
      </Panel>
    </>
  );
}
