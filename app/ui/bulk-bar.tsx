import type { ReactNode } from "react";
import type { Instant } from "~/lib/time";
import { Tick } from "./checkbox";
import { Form } from "./form";
import { SelectAll } from "./select-all";
import type { Column } from "./table";

/** Names the form the checkboxes of the rows belong to. */
const BULK_FORM = "bulk";

/** Holds a table whose rows can be selected, and the bar under it, which shows as soon as a row is selected. */
export function SelectionArea({ children }: { children: ReactNode }) {
  return (
    <div className="group/selection [counter-reset:selected] [&_tbody_[type=checkbox]:checked]:[counter-increment:selected]">
      {children}
    </div>
  );
}

/**
 * Returns the column of checkboxes. A checkbox posts the id of its row and the version that the page shows; `selected`
 * are such values, from a form that was refused.
 */
export const selectionColumn = <Row extends { id: string; version: number }>(
  nameOf: (row: Row) => string,
  selected: readonly string[] = [],
): Column<Row> => ({
  label: "Select",
  corner: true,
  labelHidden: true,
  control: <SelectAll label="Select all on this page" />,
  cell: (row) => (
    <input
      type="checkbox"
      form={BULK_FORM}
      name="row"
      value={`${row.id}.${row.version}`}
      defaultChecked={selected.includes(`${row.id}.${row.version}`)}
      aria-label={`Select ${nameOf(row)}`}
    />
  ),
});

type BulkBarProps = {
  label: string;
  /** Names the address the form is sent to: that of the list as it is filtered, which also shows a refusal. */
  action: string;
  token: string;
  /** The filter as a query string. */
  query: string;
  path: string;
  /** Tells when the rows were read: an action on all matching rows skips those that have changed since. */
  readAt: Instant;
  /** Labels the other choice: all rows that match the filter, "all 137 matching". */
  all: string;
  /** The actions. */
  children: ReactNode;
};

/** Offers the actions on selected rows. It shows once a row is selected, and counts them, without a script. */
export function BulkBar({ label, action, token, query, path, readAt, all, children }: BulkBarProps) {
  return (
    <Form
      id={BULK_FORM}
      className="compact-labels sticky bottom-0 z-2 mt-3 hidden flex-wrap items-end gap-x-6 gap-y-3 rounded-b-3 border border-line-strong border-t-2 border-t-brand bg-raised px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] group-has-[tbody_[type=checkbox]:checked]/selection:flex"
      name="bulk"
      action={action}
      token={token}
      aria-label={label}
    >
      <input type="hidden" name="query" value={query} />
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="read_at" value={readAt} />
      <fieldset className="grid gap-[0.2rem] max-md:flex max-md:flex-wrap max-md:gap-x-5 max-md:gap-y-0">
        <legend className="text-ink-2 text-xs">Apply to</legend>
        <Tick type="radio" name="scope" value="selected" defaultChecked>
          <span className="after:content-['_('_counter(selected)_')']">selected rows</span>
        </Tick>
        <Tick type="radio" name="scope" value="all">
          <span>{all}</span>
        </Tick>
      </fieldset>
      {children}
    </Form>
  );
}
