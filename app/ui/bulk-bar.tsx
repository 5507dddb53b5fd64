import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Instant } from "~/lib/time";
import { Button } from "./button";
import { Form, Tick } from "./form";
import type { RowColumn } from "./row-table";

const BULK_FORM = "bulk";

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

/** A checkbox posts id and version of its row; `selected` are such values, from a form that was rejected. */
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
  action: string;
  token: string;
  query: string;
  path: string;
  readAt: Instant;
  /** Holds the label of the other choice: all rows that match the filter, "all 137 matching". */
  all: string;
  children: ReactNode;
};

/** It shows once a row is selected, and counts them, without a script. */
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

const ROWS = 'tbody input[type="checkbox"]';

/** With Shift held a click selects all rows up to the one clicked before. */
function SelectAll({ label }: { label: string }) {
  const box = useRef<HTMLInputElement>(null);
  const [runs, setRuns] = useState(false);
  useEffect(() => setRuns(true), []);
  // After every rendering: rows may have come or gone.
  useEffect(() => showSelection(box.current));
  useEffect(() => {
    const table = runs ? box.current?.closest("table") : null;
    if (!table) return;
    let last: HTMLInputElement | null = null;
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      const rows = rowsOf(table);
      const index = rows.indexOf(target as HTMLInputElement);
      const row = rows[index];
      if (!row) return;
      const from = shiftKey && last ? rows.indexOf(last) : -1;
      if (from >= 0) check(rows.slice(Math.min(from, index), Math.max(from, index) + 1), row.checked);
      last = row;
      showSelection(box.current);
    };
    table.addEventListener("click", onClick);
    return () => table.removeEventListener("click", onClick);
  }, [runs]);
  useEffect(() => {
    // The event comes before the boxes change.
    const onReset = () => setTimeout(() => showSelection(box.current));
    document.addEventListener("reset", onReset);
    return () => document.removeEventListener("reset", onReset);
  }, []);
  if (!runs) return null;
  return (
    <input
      ref={box}
      className="block size-6 max-md:hidden"
      type="checkbox"
      aria-label={label}
      onChange={({ target }) => {
        const table = target.closest("table");
        if (table) check(rowsOf(table), target.checked);
      }}
    />
  );
}

const rowsOf = (table: HTMLTableElement) => [...table.querySelectorAll<HTMLInputElement>(ROWS)];

function check(rows: readonly HTMLInputElement[], checked: boolean) {
  for (const row of rows) row.checked = checked;
}

function showSelection(box: HTMLInputElement | null) {
  const table = box?.closest("table");
  if (!box || !table) return;
  const rows = rowsOf(table);
  const selected = rows.filter(({ checked }) => checked).length;
  box.checked = selected > 0 && selected === rows.length;
  box.indeterminate = selected > 0 && selected < rows.length;
}
