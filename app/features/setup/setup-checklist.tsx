import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import type { OpenStep } from "./checklist";

export function SetupChecklist({ steps }: { steps: readonly OpenStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Sheet id="setup" title="Still to set up" aside={<span className="text-ink-2">{steps.length} left</span>}>
      <SheetRows>
        {steps.map(({ label, hint, to }) => (
          <li key={label}>
            <Link to={to}>{label}</Link>
            <span className="block text-ink-2 text-xs">{hint}</span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
