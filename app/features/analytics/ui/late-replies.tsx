import { STAFF_TICKETS_PATH } from "~/features/tickets/subject";
import { durationInWords } from "~/lib/due";
import { referenceNumber } from "~/lib/reference-number";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Time } from "~/ui/time";
import type { Analytics } from "../model";
import { rowsPath } from "../paths";
import { counted } from "../words";

const PROMISE_WORDS = { first_response: "First reply", next_response: "Next reply" } as const;

/** Shows the promises that were missed last. */
export function LateReplies({ figures, late, zone }: Pick<Analytics, "figures" | "late" | "zone">) {
  const { from, to, promises } = figures;
  if (late.length === 0) return null;
  return (
    <Sheet
      id="late"
      title={`${counted(promises.missed, "promise")} missed`}
      aside={promises.missed > late.length ? <Link to={rowsPath({ of: "missed", from, to })}>See all</Link> : null}
    >
      <SheetRows>
        {late.map(({ id, number, organization, promise, dueAt, lateBy }) => (
          <li key={id} className="grid gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_12rem]">
            <span className="wrap-anywhere">
              <Link className="font-mono" to={`${STAFF_TICKETS_PATH}/${referenceNumber("ticket", number)}`}>
                {referenceNumber("ticket", number)}
              </Link>{" "}
              {organization}
            </span>
            <span>
              {PROMISE_WORDS[promise]}, due <Time at={dueAt} zone={zone} mode="short" />
            </span>
            <span className="font-semibold text-danger md:text-right">
              {lateBy === null ? "Not answered in time" : `Late by ${durationInWords(lateBy)}`}
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
