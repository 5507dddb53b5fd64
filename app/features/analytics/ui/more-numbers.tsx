import type { ReactNode } from "react";
import { addDays } from "~/lib/time";
import { Link } from "~/ui/link";
import { Sheet } from "~/ui/sheet";
import { BACKLOG_AGE_LABELS, BACKLOG_AGES, DEFINITIONS, NO_DATA, NO_NUMBER } from "../definitions";
import type { Figures, Share } from "../model";
import { activeRowsPath, type RowKind, rowsPath } from "../paths";
import { inWords, partInWords, shareInWords, timeInWords } from "../words";
import { SmallTable } from "./small-table";

/** Shows what else is counted in the range, with definitions. */
export function MoreNumbers({ figures }: { figures: Figures }) {
  const { from, to, firstResponse, resolution, reopened, satisfaction, pausedMean } = figures;
  const times = ({ median, p90, mean }: Figures["resolution"]) =>
    median === null
      ? NO_NUMBER
      : `median ${timeInWords(median)}, 90% within ${timeInWords(p90)}, mean ${timeInWords(mean)}`;
  const rows = (of: RowKind, words: string, count: number) =>
    count === 0 ? words : <Link to={rowsPath({ of, from, to })}>{words}</Link>;
  return (
    <Sheet id="more" title="Times and outcomes">
      <dl className="*:grid @narrow:*:grid-cols-[13rem_minmax(0,1fr)] *:gap-x-6 *:gap-y-1 *:border-line *:border-t *:px-4 *:py-2">
        <Line term="First reply, open hours" means={`${DEFINITIONS.firstResponse} ${DEFINITIONS.openHours}`}>
          {firstResponse.open.n === 0 ? NO_DATA.responses : times(firstResponse.open)}
        </Line>
        <Line term="First reply, calendar time" means={DEFINITIONS.wallTime}>
          {firstResponse.wall.n === 0 ? NO_DATA.responses : times(firstResponse.wall)}
        </Line>
        <Line term="Time to resolve" means={`${DEFINITIONS.resolved} ${DEFINITIONS.resolution}`}>
          {resolution.n === 0
            ? NO_DATA.resolved
            : `${times(resolution)}; waiting for the client: mean ${timeInWords(pausedMean)}`}
        </Line>
        <Line term="Reopened" means={DEFINITIONS.reopened}>
          <ShareWords share={reopened} none={NO_DATA.resolved} />
          {reopened.n === 0 ? null : rows("reopened", "Reopened", reopened.part)}
        </Line>
        <Line term="Satisfaction" means={DEFINITIONS.satisfaction}>
          <ShareWords share={satisfaction} none={NO_DATA.votes} />
          {satisfaction.n === 0 ? null : (
            <>
              {rows("good", "Solved", satisfaction.part)},{" "}
              {rows("bad", "still broken", satisfaction.n - satisfaction.part)}
            </>
          )}
        </Line>
      </dl>
      <p className="max-w-none border-line border-t px-4 py-2 text-ink-2 text-xs">{DEFINITIONS.precision}</p>
    </Sheet>
  );
}

/** Shows a share with its cases: "80%, 4 of 5. ". */
function ShareWords({ share, none }: { share: Share; none: string }) {
  if (share.n === 0) return `${NO_NUMBER} ${none}`;
  const words = shareInWords(share);
  return words === partInWords(share) ? `${words}. ` : `${words}, ${partInWords(share)}. `;
}

function Line({ term, means, children }: { term: string; means: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{term}</dt>
      <dd>
        <p>{children}</p>
        <p className="text-ink-2 text-xs">{means}</p>
      </dd>
    </div>
  );
}

/** Shows what was active at the end of the last day, by age. */
export function BacklogTable({ figures }: { figures: Figures }) {
  const { backlog, to } = figures;
  const sum = backlog.reduce((total, count) => total + count);
  const rows = [
    ...BACKLOG_AGE_LABELS.map((label, age) => ({
      label,
      count: backlog[age] ?? 0,
      from: firstDayOf(age, to),
      to: addDays(to, -(BACKLOG_AGES[age] ?? 0)),
    })),
    { label: "All", count: sum, from: undefined, to },
  ];
  return (
    <div className="rounded-3 border border-line bg-sheet">
      <SmallTable
        caption="Backlog by age"
        note={DEFINITIONS.backlog}
        hasSum
        rows={rows}
        rowKey={({ label }) => label}
        columns={[
          { label: "Age", cell: ({ label }) => label },
          {
            label: "Tickets",
            cell: ({ count, from, to }) => <Link to={activeRowsPath({ from, to })}>{inWords(count)}</Link>,
          },
          { label: "Share", cell: ({ count }) => shareInWords({ part: count, n: sum }) },
        ]}
      />
    </div>
  );
}

/** Returns the day on which the oldest tickets of an age were created; of the highest age that is any. */
function firstDayOf(age: number, to: string): string | undefined {
  const next = BACKLOG_AGES[age + 1];
  return next === undefined ? undefined : addDays(to, 1 - next);
}
