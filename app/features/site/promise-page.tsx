import { inWords, shareInWords, timeInWords } from "~/features/analytics/labels";
import { PROMISES_FROM, type Promises } from "~/features/analytics/model";
import { keptShare } from "~/features/analytics/rates";
import { PRIORITY_LABELS } from "~/features/tickets/labels";
import { TICKET_PRIORITIES } from "~/lib/ticket-values";
import { shortDay } from "~/lib/time-labels";
import { SectionRow } from "./section-row";
import { SitePage, TickList } from "./site-page";

const HOW = [
  "A promise is the time a client was shown when they wrote. Changing our hours later does not change it.",
  "An automatic mail is no reply. Only a person’s answer stops the clock.",
  "The clock stops while we wait for the client, and outside open hours unless the plan covers them.",
  "Tickets brought over from another system are not counted.",
  `Shown from ${PROMISES_FROM} tickets on. None can be left out.`,
];

const TABLE =
  "w-full [&_:is(td,th)]:py-2 [&_:is(td,th)]:pr-4 [&_th]:text-left [&_td]:[font-variant-numeric:tabular-nums] [&_tr]:border-line [&_tr]:border-b [&_thead]:text-ink-2 [&_thead]:text-sm";

/** Every promise of the period, from the same days as the analytics of the admin area. */
export function PromisePage({ from, to, promises, firstResponse, byPriority, weeks }: Promises) {
  const { kept, missed } = promises;
  return (
    <SitePage
      title="What we promised, and what we kept"
      lead={`The last 90 days, ${shortDay(from)} to ${shortDay(to)}, straight from the clock of our ticket system. Every promised reply is in it. The missed ones too.`}
    >
      <dl className="mb-section grid gap-6 border-ink border-t-2 pt-6 md:grid-cols-3 [&_dd+dd]:text-ink-2 [&_dt+dd]:font-bold [&_dt+dd]:text-3xl [&_dt]:text-ink-2">
        <div>
          <dt>Promises kept</dt>
          <dd>
            {inWords(kept)} <small className="font-normal text-base text-ink-2">of {inWords(kept + missed)}</small>
          </dd>
          <dd>{shareInWords(keptShare(promises))}</dd>
        </div>
        <div>
          <dt>Missed</dt>
          <dd>{inWords(missed)}</dd>
          <dd>In the weeks below, each of them.</dd>
        </div>
        <div>
          <dt>Half of all first replies within</dt>
          <dd>{timeInWords(firstResponse.open.median)}</dd>
          <dd>In open hours, all priorities.</dd>
        </div>
      </dl>
      <SectionRow id="weeks" title="Week by week" text="What we missed stands beside what we kept.">
        <WeekTable weeks={weeks} />
      </SectionRow>
      <SectionRow
        id="urgency"
        title="By urgency"
        text="First replies. The more of your work has stopped, the sooner we promise one."
      >
        <div className="overflow-x-auto">
          <table className={TABLE}>
            <thead>
              <tr>
                <th scope="col">Urgency</th>
                <th scope="col">Kept</th>
                <th scope="col">Missed</th>
                <th scope="col">Half within</th>
              </tr>
            </thead>
            <tbody>
              {TICKET_PRIORITIES.toReversed().map((priority) => {
                const { promises, firstResponse } = byPriority[priority];
                return (
                  <tr key={priority}>
                    <th scope="row">{PRIORITY_LABELS[priority]}</th>
                    <td>{inWords(promises.kept)}</td>
                    <td>{inWords(promises.missed)}</td>
                    <td>{timeInWords(firstResponse.median)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </SectionRow>
      <SectionRow id="count" title="How we count">
        <TickList items={HOW} />
      </SectionRow>
    </SitePage>
  );
}

const BAR = { width: 200, height: 14 };

function WeekTable({ weeks }: Pick<Promises, "weeks">) {
  const most = Math.max(1, ...weeks.map(({ kept, missed }) => kept + missed));
  const width = (count: number) => Math.round((count / most) * BAR.width);
  return (
    <div className="overflow-x-auto">
      <table className={TABLE}>
        <thead>
          <tr>
            <th scope="col">Week of</th>
            <th scope="col">Promised</th>
            <th scope="col">Kept</th>
            <th scope="col">Missed</th>
            <td aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ from, kept, missed }) => (
            <tr key={from}>
              <th scope="row" className="whitespace-nowrap font-normal">
                {shortDay(from)}
              </th>
              <td>{inWords(kept + missed)}</td>
              <td>{inWords(kept)}</td>
              <td className={missed > 0 ? "font-semibold text-danger" : undefined}>{inWords(missed)}</td>
              <td className="max-md:hidden" aria-hidden="true">
                <svg {...BAR} className="block" aria-hidden="true">
                  <rect className="fill-brand" width={width(kept)} height={BAR.height} />
                  <rect className="fill-danger" x={width(kept)} width={width(missed)} height={BAR.height} />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TooFewPromises() {
  return (
    <SitePage
      title="Not enough to say yet"
      lead={`This page shows what we promised and what we kept, from ${PROMISES_FROM} tickets on.`}
    />
  );
}
