import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { SUBMISSIONS_PATH } from "../../subject";
import type { FollowUp } from "../model";

/** Shows whom to follow up today, with what was due before. */
export function FollowUps({ items, hasMore }: { items: readonly FollowUp[]; hasMore: boolean }) {
  return (
    <Sheet
      id="follow-up"
      title="Follow up today"
      isMain
      aside={<span className="text-ink-2">{hasMore ? `${items.length}+` : items.length}</span>}
    >
      <SheetRows>
        {items.map(({ number, to, name, organization, owner, since }) => (
          <li key={number}>
            <span className="flex justify-between gap-3">
              <Link to={to}>{name}</Link>
              {since ? (
                <span className="whitespace-nowrap font-semibold text-danger before:mr-[0.4rem] before:inline-block before:size-2 before:bg-current forced-colors:before:bg-[CanvasText]">
                  since {since}
                </span>
              ) : (
                <span>today</span>
              )}
            </span>
            <span className="block text-ink-2 text-xs">
              {[number, organization, owner ?? "No owner"].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
        {items.length === 0 ? <li className="text-ink-2">No follow-ups today.</li> : null}
        {hasMore ? (
          <li>
            <Link to={`${SUBMISSIONS_PATH}?view=follow_up`}>All follow-ups</Link>
          </li>
        ) : null}
      </SheetRows>
    </Sheet>
  );
}
