import { ErrorPanel } from "~/ui/error-panel";
import { Notice } from "~/ui/flash";
import { Link } from "~/ui/link";
import { LinkTabs } from "~/ui/tabs";
import { ANALYTICS_FAILED, TAB_LABELS, UNKNOWN_RANGE } from "../copy";
import { DEFINITIONS, NO_DATA, type Range } from "../definitions";
import { type Analytics, keptShare } from "../model";
import { analyticsPath, rowsPath, TABS, type Tab } from "../paths";
import { counted, daysInWords, inWords, partInWords, placeOf, shareInWords } from "../words";
import { LateReplies } from "./late-replies";
import { BacklogTable, MoreNumbers } from "./more-numbers";
import { NumberCards } from "./number-cards";
import { OrganizationsPanel } from "./organizations-panel";
import { OverviewPanel } from "./overview-panel";
import { TrendsPanel } from "./trends-panel";

type AnalyticsViewProps = {
  /** Holds the figures; null: they could not be read. */
  analytics: Analytics | null;
  range: Range;
  tab: Tab;
  /** Tells whether the address asked for a range that there is not. */
  isUnknownRange: boolean;
  isFirstPage: boolean;
  lettersPath: string;
};

/** Shows the figures of a range: key numbers, the part that was chosen, what else is counted. */
export function AnalyticsView({ analytics, range, tab, isUnknownRange, isFirstPage, lettersPath }: AnalyticsViewProps) {
  if (!analytics) return <ErrorPanel message={ANALYTICS_FAILED} retryTo={analyticsPath({ range, tab })} />;
  const { figures, zone, organizations, activeOrganizations } = analytics;
  return (
    <>
      {isUnknownRange ? <Notice kind="error" message={UNKNOWN_RANGE} /> : null}
      <p className="text-ink-2 text-sm">
        {daysInWords(figures)}, {placeOf(zone)} time. {counted(figures.created, "ticket")} created,{" "}
        {inWords(figures.firstResponse.open.n)} answered, {inWords(figures.resolved)} resolved.
        {figures.uncounted > 0
          ? ` ${counted(figures.uncounted, "ticket")} changed just now and will be counted within a minute or two.`
          : ""}
      </p>
      <NumberCards {...analytics} />
      <PromiseLine {...analytics} />
      <LinkTabs
        label="Analytics"
        items={TABS.map((each) => ({
          to: analyticsPath({ range, tab: each }),
          label: TAB_LABELS[each],
          current: each === tab,
        }))}
      />
      {tab === "overview" ? <OverviewPanel figures={figures} /> : null}
      {tab === "trends" ? <TrendsPanel months={analytics.months} range={range} /> : null}
      {tab === "organizations" ? (
        <OrganizationsPanel {...{ range, figures, activeOrganizations, organizations }} isFirstPage={isFirstPage} />
      ) : null}
      <LateReplies {...analytics} lettersPath={lettersPath} />
      <div className="grid @wide:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
        <MoreNumbers figures={figures} />
        <BacklogTable figures={figures} />
      </div>
    </>
  );
}

/** Says how many promises were kept. */
function PromiseLine({ figures }: Analytics) {
  const { from, to, promises } = figures;
  const share = keptShare(promises);
  return (
    <div className="text-sm">
      <p>
        <b className="text-ink">Within promise: {shareInWords(share)}</b>
        {share.n === 0 ? ` ${NO_DATA.promises}.` : `, ${partInWords(share)} replies. `}
        {share.n === 0 ? null : (
          <>
            <Link to={rowsPath({ of: "kept", from, to })}>{inWords(promises.kept)} kept</Link>,{" "}
            <Link to={rowsPath({ of: "missed", from, to })}>{inWords(promises.missed)} missed</Link>
          </>
        )}
      </p>
      <p className="text-ink-2 text-xs">{DEFINITIONS.promises}</p>
    </div>
  );
}
