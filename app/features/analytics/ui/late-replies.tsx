import { STAFF_TICKETS_PATH } from "~/features/tickets/subject";
import { durationInWords } from "~/lib/due";
import { referenceNumber } from "~/lib/reference-number";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Time } from "~/ui/time";
import { NO_REASON } from "../copy";
import type { Analytics } from "../model";
import { rowsPath } from "../paths";
import { counted } from "../words";

const PROMISE_WORDS = { first_response: "First reply", next_response: "Next reply" } as const;

type LateRepliesProps = Pick<Analytics, "figures" | "late" | "zone"> & {
  /** Holds the address of the letters, in which reasons are given. */
  lettersPath: string;
};

/** Shows the promises that were missed last, each with its reason. */
export function LateReplies({ figures, late, zone, lettersPath }: LateRepliesProps) {
  const { from, to, promises } = figures;
  if (late.length === 0) return null;
  return (
    <Sheet
      id="late"
      title={`${counted(promises.missed, "promise")} missed`}
      aside={
        <span className="flex flex-wrap gap-x-4">
          <Link to={lettersPath}>Write the monthly letter</Link>
          {promises.missed > late.length ? <Link to={rowsPath({ of: "missed", from, to })}>See all</Link> : null}
        </span>
      }
    >
      <SheetRows>
        {late.map(({ id, number, organization, promise, dueAt, lateBy, reason }) => (
          <li key={id} className="grid gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_12rem]">
            <span className="wrap-anywhere">
              <Link className="font-mono" to={`${STAFF_TICKETS_PATH}/${referenceNumber("ticket", number)}`}>
                {referenceNumber("ticket", number)}
              </Link>{" "}
              {organization}
            </span>
            <span>
              {PROMISE_WORDS[promise]}, due <Time at={dueAt} zone={zone} mode="short" />
              <small className="wrap-anywhere block text-ink-2 text-xs">{reason || NO_REASON}</small>
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
