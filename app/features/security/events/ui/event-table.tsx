import { userPath } from "~/features/users/subject";
import { cx } from "~/ui/cx";
import { Icon } from "~/ui/icon";
import { Check, X } from "~/ui/icons";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { ACTION_LABELS, FAILURE_LABELS, labelOf, METHOD_LABELS, RESULT_LABELS } from "../../copy";
import type { MfaEvent } from "../../model";

/** Says where the cells of a row stand if it is no line of a table. */
const PLACES = cx(
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:result] *:*:nth-3:[grid-area:action] *:*:nth-4:[grid-area:reason]",
  "*:*:nth-5:[grid-area:time] *:*:nth-6:[grid-area:ip]",
  "max-table:*:grid-cols-[minmax(0,1.4fr)_6rem_minmax(0,1fr)_minmax(0,1fr)] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:py-[0.55rem] max-table:*:[grid-template-areas:'name_result_action_time'_'name_result_reason_ip']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-1",
  "max-lines:*:[grid-template-areas:'name_name'_'action_result'_'reason_reason'_'time_ip']",
  "max-md:[&_small]:block! max-table:[&_th>small]:wrap-anywhere [&_th>small]:font-sans! max-table:[&_th>small]:whitespace-normal",
  "max-lines:*:*:nth-2:justify-self-end max-lines:*:*:nth-6:justify-self-end max-lines:*:*:nth-4:empty:hidden",
  "*:*:nth-2:[&>span]:inline-flex *:*:nth-2:[&>span]:items-center *:*:nth-2:[&>span]:gap-1",
  "*:*:nth-6:font-mono *:*:nth-6:text-xs *:*:nth-2:[&>span]:font-semibold *:*:nth-2:[&_svg]:flex-none",
);

const COLUMNS = (zone: string): RowColumn<MfaEvent>[] => [
  {
    label: "User",
    header: true,
    cell: ({ userId, name, email }) => (
      <>
        {name === null ? <b>Account that is gone</b> : <a href={userPath(userId)}>{name}</a>}
        <small>
          {email === null ? null : `${email} · `}
          {shortId(userId)}
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
  { label: "IP address", width: "w-[9.5rem]", cell: ({ ip }) => ip },
];

/** Returns the first eight characters of a person's id, after its prefix. */
const shortId = (userId: string) => userId.replace(/^usr_/, "").slice(0, 8);

function Result({ succeeded }: { succeeded: boolean }) {
  return (
    <span className={succeeded ? "text-success" : "text-danger"}>
      <Icon of={succeeded ? Check : X} />
      {RESULT_LABELS[succeeded ? "success" : "failed"]}
    </span>
  );
}

type EventTableProps = {
  events: readonly MfaEvent[];
  zone: string;
  /** Id of the element that says what the rows are and how many. */
  labelledBy: string;
};

/** Shows MFA events, one a row. */
export function EventTable({ events, zone, labelledBy }: EventTableProps) {
  return <RowTable labelledBy={labelledBy} look={PLACES} columns={COLUMNS(zone)} rows={events} />;
}
