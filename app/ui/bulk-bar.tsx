import type { ReactNode } from "react";
import type { Instant } from "~/lib/time";
import { Button } from "./button";
import { Tick } from "./checkbox";
import { Form } from "./form";
import type { RowColumn } from "./row-table";
import { SelectAll } from "./select-all";

/** Names the form the checkboxes of the rows belong to. */
const BULK_FORM = "bulk";

/** Holds a table whose rows can be selected, and the bar under it, which shows as soon as a row is selected. */
export function SelectionArea({ labelledBy, children }: { labelledBy: string; children: ReactNode }) {
  return (
    <section
      // Takes the focus when what had it is gone.
      tabIndex={-1}
      aria-labelledby={labelledBy}
      className="group/selection [counter-reset:selected] [&_tbody_[type=checkbox]:checked]:[counter-increment:selected]"
    >
      {children}
    </section>
  );
}

/**
 * Returns the column of checkboxes. A checkbox posts the id of its row and the version that the page shows; `selected`
 * are such values, from a form that was rejected.
 */
export const selectionColumn = <Row extends { id: string; version: number }>(
  nameOf: (row: Row) => string,
  selected: readonly string[] = [],
): RowColumn<Row> => ({
  label: "Select",
  labelHidden: true,
  width: "w-10",
  controls: true,
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
  /** Names the address the form is sent to: that of the list as it is filtered, which also shows a rejection. */
  action: string;
  token: string;
  /** Holds the filter as a query string. */
  query: string;
  path: string;
  /** Tells when the rows were read: an action on all matching rows skips those that have changed since. */
  readAt: Instant;
  /** Holds the label of the other choice: all rows that match the filter, "all 137 matching". */
  all: string;
  /** Holds the actions. */
  children: ReactNode;
};

/** Offers the actions on selected rows. It shows once a row is selected, and counts them, without a script. */
export function BulkBar({ label, action, token, query, path, readAt, all, children }: BulkBarProps) {
  return (
    <Form id={BULK_FORM} className="bulk-bar" name="bulk" action={action} token={token} aria-label={label}>
      <input type="hidden" name="query" value={query} />
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="read_at" value={readAt} />
      <fieldset className="flex flex-wrap gap-x-5 gap-y-1">
        <legend className="sr-only">Apply to</legend>
        <Tick type="radio" name="scope" value="selected" defaultChecked>
          <span className="before:content-[counter(selected)_'_']">selected</span>
        </Tick>
        <Tick type="radio" name="scope" value="all">
          <span>{all}</span>
        </Tick>
      </fieldset>
      {children}
      <Button className="ml-auto" type="reset" variant="ghost" size="sm">
        Clear selection
      </Button>
    </Form>
  );
}
