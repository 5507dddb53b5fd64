import { escapeHtml } from "~/lib/text";
import { SAVED_LABELS, type SentRow, useDelayed } from "./form";

type Options = readonly { value: string; label: string }[];

type RowChoiceProps = {
  form: string;
  name: string;
  label: string;
  id: string;
  of: string;
  position: number;
  value: string;
  options: Options;
  state: ReturnType<SentRow["stateOf"]>;
  isPlain?: boolean;
  isDisabled?: boolean;
};

const written = new WeakMap<Options, string>();

/** As HTML, once for all rows with the same options: as elements they would be the larger part of a list. */
function optionsAsHtml(options: Options, chosen: string) {
  const html = written.get(options) ?? options.map(optionAsHtml).join("");
  written.set(options, html);
  const start = startOf(chosen);
  return { __html: html.replace(start, () => `${start} selected=""`) };
}

/** Writes an option without its end tag, which HTML does not need. */
const optionAsHtml = ({ value, label }: Options[number]) => `${startOf(value)}>${escapeHtml(label)}`;
const startOf = (value: string) => `<option value="${escapeHtml(value)}"`;

/**
 * A new value must be a new element: the row compares with the option marked at rendering. All selects have one name;
 * the button posts which of them it is about, as `RowForm` reads it.
 */
export function RowChoice({ form, name, label, id, of, position, value, options, state, ...style }: RowChoiceProps) {
  const words = useDelayed(state === "sending") ? "Saving…" : "Save";
  return (
    <>
      <select
        key={value}
        form={form}
        name={name}
        aria-label={`${label} of ${of}`}
        data-plain={style.isPlain ? "" : undefined}
        disabled={style.isDisabled}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: values and labels are escaped.
        dangerouslySetInnerHTML={optionsAsHtml(options, value)}
      />
      {style.isDisabled ? null : (
        <button
          type="submit"
          form={form}
          name="save"
          value={`${position}.${id}`}
          aria-label={`${words} ${of}, ${label.toLowerCase()}`}
          aria-disabled={state === "sending" || undefined}
        >
          {words}
        </button>
      )}
      {/* What is chosen in words, where nothing can be chosen: in small cards of some lists, and on paper. */}
      <span>{options.find((option) => option.value === value)?.label}</span>
      {state === "saved" ? <i>✓ {SAVED_LABELS.saved}</i> : null}
      {state === "unchanged" ? (
        <i className="whitespace-normal text-ink-2! leading-none">{SAVED_LABELS.unchanged}</i>
      ) : null}
    </>
  );
}

type ChoiceOfRow<Row> = Pick<RowChoiceProps, "form" | "name" | "label" | "isPlain" | "isDisabled"> & {
  of: (row: Row) => string;
  value: (row: Row) => string;
  options: (row: Row) => RowChoiceProps["options"];
};

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
