import type { ReactNode } from "react";
import { Link } from "~/ui/link";
import { DEFINITIONS, NO_DATA, NO_NUMBER } from "../definitions";
import { type Analytics, resolutionRate } from "../model";
import { analyticsPath, rowsPath } from "../paths";
import { counted, inWords, partInWords, shareInWords, timeInWords } from "../words";

/** Shows the four numbers of the range, each with what it is made of, what it means and the way to its rows. */
export function NumberCards({ range, figures, activeOrganizations, withPlan }: Analytics) {
  const { from, to, created, resolved, firstResponse, resolution } = figures;
  const { open, wall } = firstResponse;
  const rate = resolutionRate(figures);
  const createdTo = rowsPath({ of: "created", from, to });
  const resolvedTo = rowsPath({ of: "resolved", from, to });
  return (
    <section
      className="grid @min-[32rem]:grid-cols-2 @min-[60rem]:grid-cols-4 grid-cols-1 gap-px rounded-b-3 border border-line border-t-2 border-t-ink bg-line"
      aria-label="Key numbers"
    >
      <Card label="Avg Response Time" value={timeInWords(open.median)}>
        {open.n === 0 ? (
          <p>{NO_DATA.responses}</p>
        ) : (
          <>
            <p>
              median; 90% within {timeInWords(open.p90)}; mean {timeInWords(open.mean)}. Around the clock: median{" "}
              {timeInWords(wall.median)}
            </p>
            <Note>
              First reply to a client, in open hours.{" "}
              <Link to={rowsPath({ of: "answered", from, to })}>{counted(open.n, "ticket")}</Link>
            </Note>
          </>
        )}
      </Card>
      <Card label="Resolution Rate" value={shareInWords(rate)}>
        <p>{created === 0 ? NO_DATA.tickets : partInWords(rate)}</p>
        <Note>
          {DEFINITIONS.resolutionRate} <Link to={resolvedTo}>Resolved</Link>, <Link to={createdTo}>created</Link>
        </Note>
      </Card>
      <Card label="Total Resolved" value={inWords(resolved)}>
        <p>
          {resolved === 0
            ? NO_DATA.resolved
            : `median ${timeInWords(resolution.median)} to resolve; of the mean ${timeInWords(resolution.mean)}, ${timeInWords(figures.pausedMean)} waiting for the client`}
        </p>
        <Note>
          Counted on the day they were resolved. <Link to={resolvedTo}>{counted(resolved, "ticket")}</Link>
        </Note>
      </Card>
      <Card label="Active Organizations" value={activeOrganizations === 0 ? NO_NUMBER : inWords(activeOrganizations)}>
        <p>{activeOrganizations === 0 ? NO_DATA.tickets : `${counted(withPlan, "organization")} with a plan`}</p>
        <Note>
          {DEFINITIONS.activeOrganizations}{" "}
          <Link to={analyticsPath({ range, tab: "organizations" })}>
            {counted(activeOrganizations, "organization")}
          </Link>
        </Note>
      </Card>
    </section>
  );
}

function Card({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-[0.3rem] bg-sheet px-4 pt-3 pb-[0.85rem] text-sm">
      <h2 className="font-normal text-ink-2 text-sm">{label}</h2>
      <b className="font-bold text-[1.75rem]/[1] tracking-[-0.02em]">{value}</b>
      {children}
    </div>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-ink-2 text-xs">{children}</p>;
