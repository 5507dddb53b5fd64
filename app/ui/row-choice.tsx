import { useDelayed } from "./use-delayed";
import { SAVED_WORDS, type SentRow } from "./use-sent-row";

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
  options: readonly { value: string; label: string }[];
  state: ReturnType<SentRow["stateOf"]>;
  /** Leaves out the glyph and the colours of a state. */
  isPlain?: boolean;
};

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
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
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
