import type { ReactNode } from "react";
import { useDelayed } from "./use-delayed";
import { SAVED_WORDS, type SentRow } from "./use-sent-row";

type Options = readonly { value: string; label: string }[];

type RowChoiceProps = {
  /** Id of the form of all rows, which stands outside the table. */
  form: string;
  /** Name of the field, and what it is called in "Status of Priya Raman". */
  name: string;
  label: string;
  /** The row: its id, what names it, and its place among the rows of the page. */
  id: string;
  of: string;
  position: number;
  value: string;
  options: Options;
  state: ReturnType<SentRow["stateOf"]>;
  /** Leaves out the glyph and the colours of a state. */
  isPlain?: boolean;
};

const elements = new WeakMap<Options, ReactNode>();

/** Returns the options as elements, made once for all rows that have the same ones. */
function elementsOf(options: Options): ReactNode {
  const known = elements.get(options);
  if (known) return known;
  const made = options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
  elements.set(options, made);
  return made;
}

/**
 * Offers a choice in a row of a list, with the button that saves it. The row tells what was changed by comparing with the
 * option marked at rendering, so a new value must be a new element. All selects have one name: the button posts which
 * of them it is about, as `RowForm` reads it.
 */
export function RowChoice({ form, name, label, id, of, position, value, options, state, isPlain }: RowChoiceProps) {
  const words = useDelayed(state === "sending") ? "Saving…" : "Save";
  return (
    <>
      <select
        key={value}
        form={form}
        name={name}
        defaultValue={value}
        aria-label={`${label} of ${of}`}
        data-plain={isPlain ? "" : undefined}
      >
        {elementsOf(options)}
      </select>
      <button
        type="submit"
        form={form}
        name="save"
        value={`${position}.${id}`}
        aria-label={`${words} ${of}`}
        aria-disabled={state === "sending" || undefined}
      >
        {words}
      </button>
      {state === "saved" ? <i>✓ {SAVED_WORDS.saved}</i> : null}
      {state === "unchanged" ? (
        <i className="whitespace-normal text-ink-2! leading-none">{SAVED_WORDS.unchanged}</i>
      ) : null}
    </>
  );
}

type ChoiceOfRow<Row> = Pick<RowChoiceProps, "form" | "name" | "label" | "isPlain"> & {
  of: (row: Row) => string;
  value: (row: Row) => string;
  options: (row: Row) => RowChoiceProps["options"];
};

/** Returns what shows the choice of each row, for a column: `sent` tells what became of the one that was saved last. */
export const choiceOfRows =
  <Row extends { id: string }>(
    rows: readonly Row[],
    sent: SentRow,
    { of, value, options, ...choice }: ChoiceOfRow<Row>,
  ) =>
  (row: Row) => (
    <RowChoice
      {...choice}
      id={row.id}
      of={of(row)}
      position={rows.indexOf(row)}
      value={value(row)}
      options={options(row)}
      state={sent.stateOf(row.id)}
    />
  );
