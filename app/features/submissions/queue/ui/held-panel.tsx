import { HELD_SUBMISSIONS_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";

/** Shows how many submissions are held for review; nothing while there are none. */
export function HeldPanel({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Sheet id="held" title="Held" aside={<span className="text-ink-2">{count.toLocaleString("en-US")} to review</span>}>
      <SheetRows>
        <li>
          <Link to={HELD_SUBMISSIONS_PATH}>{plural(count, "submission")}</Link>
        </li>
      </SheetRows>
    </Sheet>
  );
}
