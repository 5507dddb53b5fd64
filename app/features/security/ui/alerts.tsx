import { userPath } from "~/features/users/subject";
import { type CappedCount, cappedText } from "~/lib/capped-count";
import { cx } from "~/ui/cx";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Icon } from "~/ui/icon";
import { CircleAlert, CircleCheck, TriangleAlert } from "~/ui/icons";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Time } from "~/ui/time";
import type { AlertAnswer } from "../actions.server";
import { KIND_LABELS, NO_ALERTS, SEVERITY_LABELS } from "../copy";
import {
  type AcknowledgedAlert,
  type Alert,
  type AlertSeverity,
  NOTE_MAX,
  type OpenAlert,
  SECURITY_PATH,
} from "../model";
import { UnlockLink } from "./lockouts";

type OpenAlertsProps = {
  /** Lists the alerts, newest first. */
  alerts: readonly OpenAlert[];
  count: CappedCount;
  token: string | null;
  /** Says why an alert was not acknowledged, if that was tried. */
  rejected: AlertAnswer | null;
  zone: string;
};

/** Shows the alerts that nobody has acknowledged, each with the form for it. */
export function OpenAlerts({ alerts, count, token, rejected, zone }: OpenAlertsProps) {
  const shown = count.count > alerts.length || count.isMore ? `${alerts.length} of ${cappedText(count)}` : undefined;
  const rest = shown ? <span className="text-ink-2 text-sm">The newest {shown}</span> : undefined;
  return (
    <Sheet id="alerts" title="Security Alerts" isMain aside={rest}>
      {rejected ? (
        <div role="alert">
          <Notice kind="error" className="mx-4 mb-3" message={rejected.rejection} />
        </div>
      ) : null}
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
              <AlertWords alert={alert} zone={zone} />
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

function AlertWords({ alert, zone }: { alert: Alert; zone: string }) {
  const { severity, kind, person, about, message, lastAt } = alert;
  return (
    <div className="grid gap-[0.15rem]">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Severity severity={severity} />
        <b>{KIND_LABELS[kind]}</b>
        <span className="text-ink-3 text-sm">
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

/** Shows a severity as glyph and word. */
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
      className="flex flex-wrap items-end gap-2"
      action={SECURITY_PATH}
      token={token}
      name={`acknowledge ${alert.id}`}
    >
      <input type="hidden" name="intent" value="acknowledge" />
      <input type="hidden" name="id" value={alert.id} />
      <Field
        name="note"
        id={`note-${alert.id}`}
        label="Note"
        optional
        className="min-w-[min(10rem,100%)] flex-1 text-sm"
      >
        <Input maxLength={NOTE_MAX} autoComplete="off" defaultValue={note} />
      </Field>
      <SubmitButton variant="quiet" pendingLabel="Saving…" aria-label={`Acknowledge ${alert.about}`}>
        Acknowledge
      </SubmitButton>
    </Form>
  );
}

/** Shows the alerts that were acknowledged last: by whom, when and with which note. */
export function AcknowledgedAlerts({ alerts, zone }: { alerts: readonly AcknowledgedAlert[]; zone: string }) {
  if (alerts.length === 0) return null;
  return (
    <Sheet id="acknowledged" title="Acknowledged lately">
      <SheetRows>
        {alerts.map((alert) => (
          <li key={alert.id} className="grid gap-1">
            <AlertWords alert={alert} zone={zone} />
            <p className="wrap-anywhere text-ink-2 text-sm">
              Acknowledged by {alert.acknowledgedBy}, <Time at={alert.acknowledgedAt} zone={zone} />
              {alert.note ? `: ${alert.note}` : null}
            </p>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
