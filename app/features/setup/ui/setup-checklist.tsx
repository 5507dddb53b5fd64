import { Panel } from "~/ui/panel";

type SetupChecklistProps = { steps: readonly { label: string; hint: string }[] };

/** Shows what is not set up yet; gone when nothing is left. */
export function SetupChecklist({ steps }: SetupChecklistProps) {
  if (steps.length === 0) return null;
  return (
    <Panel id="setup" title="Still to set up">
      <ul>
        {steps.map(({ label, hint }) => (
          <li key={label} className="py-[0.45rem]">
            <b>{label}</b>
            <span className="block text-ink-2">{hint}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
