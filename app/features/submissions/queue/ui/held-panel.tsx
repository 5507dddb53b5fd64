import { HELD_SUBMISSIONS_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";

/** Shows how many submissions are held for review, and why; nothing while there are none. */
export function HeldPanel({ count, reasons }: { count: number; reasons: readonly string[] }) {
  if (count === 0) return null;
  return (
    <Sheet id="held" title="Held">
      <SheetRows>
        <li>
          <Link to={HELD_SUBMISSIONS_PATH}>{plural(count, "submission")}</Link>
          <span className="block text-ink-2 text-xs">{reasons.join(", ")}</span>
        </li>
      </SheetRows>
    </Sheet>
  );
}
