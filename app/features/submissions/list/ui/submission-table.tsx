import { mailtoHref } from "~/lib/contact-links";
import { initialsOf } from "~/lib/initials";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { selectionColumn } from "~/ui/bulk-bar";
import { cx } from "~/ui/cx";
import { choiceOfRows } from "~/ui/row-choice";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import type { SentRow } from "~/ui/use-sent-row";
import { STATUS_LABELS, STATUS_OPTIONS } from "../../copy";
import type { ListedSubmission } from "../../model";
import { listedSubmissionPath } from "../../subject";
import { type SubmissionFilter, submissionList } from "../definition";

/** Names the form of the rows. */
export const ROWS_FORM = "rows";

type RowOptions = {
  /** Holds what a row offers: a choice of its status, its release from review, or nothing. */
  offer: "status" | "release" | null;
  /** Checkboxes of a form that was rejected, as they were posted. */
  selected: readonly string[];
  statuses: SentRow;
};

/**
 * Says where the cells of a row stand if it is no line of a table, and which tone each status has. `nth-1:` is the
 * first cell, and so on, in the order of the columns.
 */
const PLACES = cx(
  "*:*:nth-1:[grid-area:check] *:*:nth-2:[grid-area:name] *:*:nth-3:[grid-area:email] *:*:nth-4:[grid-area:company]",
  "*:*:nth-5:[grid-area:phone] *:*:nth-6:[grid-area:status] *:*:nth-7:[grid-area:time] *:*:nth-8:[grid-area:open]",

  // Two lines.
  "max-table:*:grid-cols-[auto_minmax(0,1.35fr)_minmax(0,1fr)_7.8rem_auto_auto]",
  "max-table:*:[grid-template-areas:'check_name_company_time_status_open'_'check_email_phone_time_status_open']",
  "max-table:*:items-center max-table:*:gap-x-3 max-table:*:gap-y-0 max-table:*:py-[0.45rem]",
  "max-table:*:*:nth-2:flex max-table:*:*:nth-2:items-baseline max-table:*:*:nth-2:gap-2",
  "max-table:*:*:nth-6:before:left-2! lines:max-table:*:*:nth-3:[&>small]:hidden",

  // A card.
  "max-lines:*:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)_auto] max-lines:*:gap-x-[0.9rem] max-lines:*:gap-y-[0.3rem]",
  "max-lines:*:[grid-template-areas:'check_name_time_open'_'check_email_status_status'_'._company_phone_.']",
  "max-lines:*:*:nth-6:justify-self-end max-lines:*:py-[0.7rem]",

  // A card on a phone: what somebody wrote has a line of its own, and so has the choice, as wide as the card.
  "max-md:*:grid-cols-[auto_minmax(0,1fr)_minmax(0,1.2fr)_auto] max-md:*:gap-x-3 max-md:*:gap-y-[0.15rem]",
  "max-md:*:[grid-template-areas:'check_name_name_open'_'check_time_time_time'_'._company_email_email'_'._snippet_snippet_snippet'_'._status_status_status']",
  "max-md:*:*:nth-3:contents *:*:nth-3:[&>a]:[grid-area:email] *:*:nth-3:[&>small]:[grid-area:snippet]",
  "max-md:*:*:nth-5:hidden max-md:*:*:nth-7:[&>small]:ml-[0.6rem]",
  "max-md:*:*:nth-6:mt-1 max-md:*:*:nth-6:flex max-md:*:*:nth-6:justify-self-stretch max-md:[&_select]:flex-1",
  "max-md:row-idle-save:hidden",

  // Addresses and numbers are long.
  "*:*:nth-3:[&>a]:block *:*:nth-3:[&>a]:w-fit *:*:nth-3:[&>a]:max-w-full *:*:nth-3:[&>a]:truncate",
  "*:*:nth-5:text-xs *:*:nth-3:[&>a]:text-xs *:*:nth-3:[&>a]:leading-6",

  "[&_td:has([value=contacted]:checked)]:tone-progress [&_td:has([value=resolved]:checked)]:tone-resolved",

  // Paper has nothing to press.
  "print:*:*:nth-1:hidden print:*:*:nth-8:hidden",
);

/** Shows the list of submissions; each row can be selected, opened, and moved to another status. */
export function SubmissionTable(props: ListTableProps<ListedSubmission, SubmissionFilter> & RowOptions) {
  return <ListTable {...props} definition={submissionList} look={PLACES} columns={(shown) => columns(shown, props)} />;
}

const columns = (
  { rows, zone, query, sortOf }: ShownRows<ListedSubmission, "submitted" | "name" | "status">,
  { offer, selected, statuses }: RowOptions,
): RowColumn<ListedSubmission>[] => [
  selectionColumn(({ name }) => name, selected),
  {
    label: "Name",
    width: "w-[14%] max-[75rem]:w-[12.5%]",
    header: true,
    sort: sortOf("name"),
    cell: ({ id, name, number }) => (
      <>
        <a href={listedSubmissionPath(id, query)}>{name}</a>
        <small>{number}</small>
      </>
    ),
  },
  {
    label: "Email",
    cell: ({ email, snippet }) => (
      <>
        <a href={mailtoHref(email)} title={email}>
          {email}
        </a>
        {snippet ? <small>{snippet}</small> : null}
      </>
    ),
  },
  { label: "Company", width: "w-[12.5%] max-[75rem]:w-[10%]", cell: ({ company }) => company ?? "—" },
  { label: "Phone", width: "w-[7.1rem] max-[75rem]:w-[6.9rem]", cell: ({ phone }) => phone ?? "—" },
  {
    label: "Status",
    width: "w-[12.6rem]",
    sort: sortOf("status"),
    cell:
      offer === "status"
        ? choiceOfRows(rows, statuses, {
            ...{ form: ROWS_FORM, name: "status", label: "Status" },
            of: ({ name }) => name,
            value: ({ status }) => status,
            options: () => STATUS_OPTIONS,
          })
        : (row) => (offer === "release" ? <NotSpam row={row} /> : STATUS_LABELS[row.status]),
  },
  {
    label: "Submitted",
    width: "w-[9.8rem] max-[75rem]:w-32",
    sort: sortOf("submitted"),
    cell: ({ submittedAt, due }) => (
      <>
        <time dateTime={new Date(submittedAt).toISOString()}>{formatInstant(submittedAt, zone, "short")}</time>
        {due ? <small data-late={due.isLate ? "" : undefined}>{due.words}</small> : null}
      </>
    ),
  },
  {
    label: "Actions",
    width: "w-[5.4rem] print:hidden",
    cell: ({ id, name, owner }) => (
      <>
        <span role="img" title={owner ? `Owner: ${owner}` : "No owner"}>
          {owner ? initialsOf(owner) : null}
        </span>
        <a href={listedSubmissionPath(id, query)} aria-label={`View ${name}`}>
          View
        </a>
      </>
    ),
  },
];

/** Releases a held submission without opening it. */
function NotSpam({ row: { id, name } }: { row: ListedSubmission }) {
  return (
    <button
      type="submit"
      form={ROWS_FORM}
      name="id"
      value={id}
      aria-label={`Not spam: ${name}`}
      className="w-auto! px-3!"
    >
      Not spam
    </button>
  );
}
