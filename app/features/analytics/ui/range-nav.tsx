import { Link } from "~/ui/link";
import { RANGE_LABELS } from "../copy";
import { RANGES, type Range } from "../definitions";
import { analyticsPath, type Tab } from "../paths";

/** Chooses the range: links, one of which is current. */
export function RangeNav({ range, tab }: { range: Range; tab: Tab }) {
  return (
    <nav aria-label="Range">
      <ul className="flex flex-wrap overflow-hidden rounded-2 border border-control max-md:grid max-md:grid-cols-2">
        {RANGES.map((each) => (
          <li key={each} className="border-control not-first:border-l max-md:border-l-0">
            <Link
              className="flex min-h-9 items-center justify-center bg-sheet current:bg-action px-3 py-1 current:font-semibold current:text-on-action text-ink text-sm no-underline current:hover:bg-action-hover hover:bg-brand-tint max-md:min-h-11"
              to={analyticsPath({ range: each, tab })}
              aria-current={each === range ? "page" : undefined}
            >
              {RANGE_LABELS[each]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
