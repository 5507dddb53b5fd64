import { HELD_SUBMISSIONS_PATH } from "~/lib/addresses";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import type { HeldItem } from "../model";

/** Shows how many submissions are held for review, and why; nothing while there are none. */
export function HeldPanel({ count, items }: { count: number; items: readonly HeldItem[] }) {
  if (count === 0) return null;
  return (
    <Sheet id="held" title="Held" aside={<span className="text-ink-2">{count.toLocaleString("en-US")} to review</span>}>
      <SheetRows>
        {items.map(({ words, reason }) => (
          <li key={reason} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <Link to={HELD_SUBMISSIONS_PATH}>{words}</Link>
            <span className="text-ink-2 text-xs">{reason}</span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
