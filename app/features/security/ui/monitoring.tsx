import { cappedText } from "~/lib/capped-count";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Sheet } from "~/ui/sheet";
import { StatCards } from "~/ui/stat-cards";
import type { AlertAnswer } from "../actions.server";
import { coverageText, NO_EVENTS } from "../copy";
import { eventList } from "../events/definition";
import { EventTable } from "../events/ui/event-table";
import { EVENTS_PATH, MFA_PEOPLE_PATH, SESSIONS_PATH, SHOWN_EVENTS } from "../model";
import type { Monitoring as MonitoringRead } from "../read-monitoring.server";
import { AcknowledgedAlerts, OpenAlerts } from "./alerts";
import { Lockouts } from "./lockouts";

type MonitoringProps = {
  monitoring: MonitoringRead;
  token: string | null;
  /** Says why an alert was not acknowledged, if that was tried. */
  rejected: AlertAnswer | null;
};

/** Shows the tab Security Monitoring: figures, alerts, blocked sign-ins and the newest events. */
export function Monitoring({ monitoring, token, rejected }: MonitoringProps) {
  const { alerts, alertCount, acknowledged, lockouts, zone, events } = monitoring;
  return (
    <>
      <Figures {...monitoring} />
      <OpenAlerts alerts={alerts} count={alertCount} token={token} rejected={rejected} zone={zone} />
      <AcknowledgedAlerts alerts={acknowledged} zone={zone} />
      <Lockouts lockouts={lockouts} zone={zone} />
      <RecentEvents events={events} zone={zone} />
    </>
  );
}

const EVERY_EVENT = eventList.readFilter(new URLSearchParams());

function Figures({ events, alertCount, sessions, coverage }: MonitoringRead) {
  const { counted, failed } = events;
  const rate = counted === 0 ? 100 : Math.round(((counted - failed) / counted) * 100);
  const among = counted === 0 ? NO_EVENTS : `of the last ${counted} event${counted === 1 ? "" : "s"}`;
  return (
    <div className="grid gap-2">
      <StatCards
        label="Security figures"
        items={[
          { label: "MFA Success Rate", value: `${rate}%`, note: among, to: EVENTS_PATH },
          {
            label: "Failed Attempts",
            value: failed,
            note: among,
            to: eventList.pathTo({ ...EVERY_EVENT, result: "failed" }),
          },
          { label: "Active Alerts", value: cappedText(alertCount), to: "#alerts-title" },
          { label: "Active Sessions", value: cappedText(sessions), to: SESSIONS_PATH },
        ]}
      />
      <p className="text-ink-2">
        Two-step sign-in: <Link to={MFA_PEOPLE_PATH}>{coverageText(coverage)}</Link>
      </p>
    </div>
  );
}

const CAPTION = "events-title";

function RecentEvents({ events, zone }: Pick<MonitoringRead, "events" | "zone">) {
  const { newest, counted } = events;
  return (
    <Sheet id="events" title="Recent MFA Events">
      {newest.length === 0 ? (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2">{NO_EVENTS}; the rate shows 100%.</p>
      ) : (
        <EventTable events={newest} zone={zone} labelledBy={CAPTION} />
      )}
      {counted > SHOWN_EVENTS ? (
        <p className="px-4 py-3 print:hidden">
          <LinkButton variant="quiet" to={EVENTS_PATH}>
            View All Events
          </LinkButton>
        </p>
      ) : null}
    </Sheet>
  );
}
