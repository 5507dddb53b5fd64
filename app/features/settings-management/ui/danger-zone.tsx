import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Panel } from "~/ui/panel";

/** Leads to what cannot be undone. Each of these pages shows first what goes, and asks who you are. */
export function DangerZone({ links }: { links: readonly { label: string; to: string }[] }) {
  return (
    <Panel id="danger" title="Danger zone">
      <p className="mb-4 max-w-160 text-ink-2">
        What is deleted or erased is gone. Each page shows first what goes, and asks for your password and a code.
      </p>
      <ButtonRow>
        {links.map(({ label, to }) => (
          <LinkButton key={to} variant="quiet" to={to}>
            {label}
          </LinkButton>
        ))}
      </ButtonRow>
    </Panel>
  );
}
