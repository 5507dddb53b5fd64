import { userPath } from "~/features/users/subject";
import { cx } from "~/ui/cx";
import { Icon } from "~/ui/icon";
import { Check, X } from "~/ui/icons";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { ACTION_LABELS, FAILURE_LABELS, labelOf, METHOD_LABELS, RESULT_LABELS } from "../../copy";
import type { MfaEvent } from "../../model";

const COLUMNS = (zone: string): RowColumn<MfaEvent>[] => [
  {
    label: "User",
    header: true,
    cell: ({ userId, name, email }) => (
      <>
        {name === null ? <b>Account that is gone</b> : <a href={userPath(userId)}>{name}</a>}
        <small>
          {/* The end of a long line is cut: the id stands first. */}
          {shortId(userId)}
          {email === null ? null : ` · ${email}`}
        </small>
      </>
    ),
  },
  { label: "Result", width: "w-[6rem]", cell: ({ succeeded }) => <Result succeeded={succeeded} /> },
  {
    label: "Action",
    width: "w-[9.5rem]",
    cell: ({ action, method }) => (
      <>
        {labelOf(ACTION_LABELS, action)}
        <small>{labelOf(METHOD_LABELS, method)}</small>
      </>
    ),
  },
  {
    label: "Failure reason",
    width: "w-[9.5rem]",
    cell: ({ failure }) => (failure === null ? null : labelOf(FAILURE_LABELS, failure)),
  },
  {
    label: "Time",
    width: "w-[10.5rem]",
    cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, "datetime")}</time>,
  },
  { label: "IP address", width: "w-[9.5rem]", cell: ({ ip }) => <span className="font-mono text-xs">{ip}</span> },
];

/** Returns the first eight characters of a person's id, after its prefix. */
const shortId = (userId: string) => userId.replace(/^usr_/, "").slice(0, 8);

function Result({ succeeded }: { succeeded: boolean }) {
  return (
    <span className={cx("inline-flex items-center gap-1 font-semibold", succeeded ? "text-success" : "text-danger")}>
      <Icon of={succeeded ? Check : X} />
      {RESULT_LABELS[succeeded ? "success" : "failed"]}
    </span>
  );
}

type EventTableProps = {
  events: readonly MfaEvent[];
  zone: string;
  /** Holds the id of the element that says what the rows are and how many. */
  labelledBy: string;
};

/** Shows MFA events, one a row. */
export function EventTable({ events, zone, labelledBy }: EventTableProps) {
  return <RowTable labelledBy={labelledBy} columns={COLUMNS(zone)} rows={events} />;
}
