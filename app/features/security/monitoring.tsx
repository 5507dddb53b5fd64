import { userPath } from "~/features/users/model";
import { withParams } from "~/lib/addresses";
import { type CappedCount, cappedText } from "~/lib/numbers";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Field, Form, Input, SubmitButton } from "~/ui/form";
import { CircleAlert, CircleCheck, Icon, TriangleAlert } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Rejection, Sheet, SheetRows } from "~/ui/page";
import { StatCards } from "~/ui/stat-cards";
import { Time } from "~/ui/text";
import type { AlertAnswer } from "./actions.server";
import { eventList } from "./events/definition";
import { EventTable } from "./events/event-list";
import { alertMessage, coverageText, KIND_LABELS, NO_ALERTS, NO_EVENTS, NO_LOCKOUTS, SEVERITY_LABELS } from "./labels";
import {
  type AcknowledgedAlert,
  ALERT_NOTE_MAX,
  type Alert,
  type AlertSeverity,
  EVENTS_PATH,
  type Lockout,
  MFA_PEOPLE_PATH,
  type OpenAlert,
  SECURITY_PATH,
  SESSIONS_PATH,
  SHOWN_EVENTS,
} from "./model";
import type { MonitoringRead } from "./queries.server";

/** Those of an account can be unlocked, on its page, which asks for a reason and a proof of identity. */
function Lockouts({ lockouts, zone }: { lockouts: readonly Lockout[]; zone: string }) {
  return (
    <Sheet id="lockouts" title="Blocked sign-ins">
      {lockouts.length === 0 ? (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2">{NO_LOCKOUTS}</p>
      ) : null}
      <SheetRows>
        {lockouts.map(({ id, type, person, about, attempts, blockedUntil }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p className="wrap-anywhere">
              {person ? <Link to={userPath(person.id)}>{about}</Link> : about}
              {person ? <span className="text-ink-2"> {person.email}</span> : null}
              {`: ${alertMessage({ kind: "account_lockout", attempts, source: type })}, until `}
              <Time at={blockedUntil} zone={zone} mode="short" />
            </p>
            {person ? <UnlockLink personId={person.id} about={about} /> : null}
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

/** It leads back here. */
function UnlockLink({ personId, about }: { personId: string; about: string }) {
  return (
    <LinkButton
      variant="quiet"
      size="sm"
      to={withParams(userPath(personId), { do: "unlock", from: SECURITY_PATH })}
      aria-label={`Unlock ${about}`}
    >
      Unlock
    </LinkButton>
  );
}

type OpenAlertsProps = {
  alerts: readonly OpenAlert[];
  count: CappedCount;
  token: string | null;
  rejected: AlertAnswer | null;
  zone: string;
};

function OpenAlerts({ alerts, count, token, rejected, zone }: OpenAlertsProps) {
  const shown = count.count > alerts.length || count.isMore ? `${alerts.length} of ${cappedText(count)}` : undefined;
  const rest = shown ? <span className="text-ink-2 text-sm">The newest {shown}</span> : undefined;
  return (
    <Sheet id="alerts" title="Security Alerts" isMain aside={rest}>
      <Rejection className="mx-4 mb-3" message={rejected?.rejection} />
      {alerts.length === 0 ? (
        <p className="flex max-w-none items-center gap-2 border-line border-t px-4 py-3">
          <Icon of={CircleCheck} className="text-success" />
          {NO_ALERTS}
        </p>
      ) : null}
      <SheetRows>
        {alerts.map((alert) => (
          <li
            key={alert.id}
            id={alert.id}
            className="grid @max-wide:grid-cols-1 grid-cols-[minmax(0,1fr)_minmax(0,22rem)] items-start gap-x-6 gap-y-2"
          >
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <AlertText alert={alert} zone={zone} />
              {alert.canUnlock && alert.person ? <UnlockLink personId={alert.person.id} about={alert.about} /> : null}
            </div>
            {token ? (
              <AcknowledgeForm
                alert={alert}
                token={token}
                note={rejected?.id === alert.id ? rejected.note : undefined}
              />
            ) : null}
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

function AlertText({ alert, zone }: { alert: Alert; zone: string }) {
  const { severity, kind, person, about, message, lastAt } = alert;
  return (
    <div className="grid gap-[0.15rem]">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Severity severity={severity} />
        <b>{KIND_LABELS[kind]}</b>
        <span className="text-ink-3 text-sm [&_time]:whitespace-normal">
          <Time at={lastAt} zone={zone} />
        </span>
      </p>
      <p className="wrap-anywhere">
        {person ? <Link to={userPath(person.id)}>{about}</Link> : about}
        {person ? <span className="text-ink-2"> {person.email}</span> : null}
        {`: ${message}`}
      </p>
    </div>
  );
}

function Severity({ severity }: { severity: AlertSeverity }) {
  const isHigh = severity === "high";
  return (
    <span className={cx("inline-flex items-center gap-1 font-semibold", isHigh ? "text-danger" : "text-warning")}>
      <Icon of={isHigh ? TriangleAlert : CircleAlert} />
      {SEVERITY_LABELS[severity]}
    </span>
  );
}

function AcknowledgeForm({ alert, token, note }: { alert: Alert; token: string; note?: string }) {
  return (
    <Form
      className="flex flex-wrap items-end gap-2 [--btn-x:min(0.9rem,4vw)]"
      action={SECURITY_PATH}
      token={token}
      name={`acknowledge ${alert.id}`}
      intent="acknowledge"
    >
      <input type="hidden" name="id" value={alert.id} />
      <Field
        name="note"
        id={`note-${alert.id}`}
        label="Note"
        optional
        className="min-w-[min(10rem,100%)] flex-1 text-sm"
      >
        <Input maxLength={ALERT_NOTE_MAX} autoComplete="off" defaultValue={note} />
      </Field>
      <SubmitButton variant="quiet" pendingLabel="Saving…" aria-label={`Acknowledge ${alert.about}`}>
        Acknowledge
      </SubmitButton>
    </Form>
  );
}

function AcknowledgedAlerts({ alerts, zone }: { alerts: readonly AcknowledgedAlert[]; zone: string }) {
  if (alerts.length === 0) return null;
  return (
    <Sheet id="acknowledged" title="Acknowledged lately">
      <SheetRows>
        {alerts.map((alert) => (
          <li key={alert.id} className="grid gap-1">
            <AlertText alert={alert} zone={zone} />
            <p className="wrap-anywhere text-ink-2 text-sm [&_time]:whitespace-normal">
              Acknowledged by {alert.acknowledgedBy}, <Time at={alert.acknowledgedAt} zone={zone} />
              {alert.note ? `: ${alert.note}` : null}
            </p>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

type MonitoringProps = {
  monitoring: MonitoringRead;
  token: string | null;
  rejected: AlertAnswer | null;
};

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
