import { Button, ButtonRow, buttonStyle } from "./button";
import { DetailsPanel } from "./details-panel";
import { Field, Input, type Option, Select } from "./form";
import { Link } from "./link";

/** Their names are the parameters of the address; their look is that of the bar they stand in (list.css). */

type SearchFieldProps = { label: string; value: string; max: number };

export function SearchField({ label, value, max }: SearchFieldProps) {
  return (
    <div data-field="">
      <label htmlFor="q">{label}</label>
      <input
        type="search"
        id="q"
        name="q"
        maxLength={max}
        autoComplete="off"
        inputMode="search"
        // The field is as wide as its label, where there is room.
        size={Math.min(label.length, 26)}
        defaultValue={value}
      />
    </div>
  );
}

type ChoiceFieldProps = {
  name: string;
  id?: string;
  label: string;
  options: readonly Option[];
  value: string | null;
  describedBy?: string;
  className?: string;
};

/** With other options it is a new element, which shows its value again. */
export function ChoiceField({ name, id = name, label, options, value, describedBy, className }: ChoiceFieldProps) {
  return (
    <div className={className} data-field="">
      <label htmlFor={id}>{label}</label>
      <Select
        key={options.map((option) => option.value).join()}
        variant="bar"
        id={id}
        name={name}
        aria-describedby={describedBy}
        options={options}
        defaultValue={value ?? ""}
      />
    </div>
  );
}

export const SortField = ({ options, value }: Pick<ChoiceFieldProps, "options" | "value">) => (
  <ChoiceField name="sort" label="Order" options={options} value={value} />
);

type DatesFieldProps = {
  from: string | null;
  to: string | null;
  /** Tells whether the list is limited to certain days, by these fields or otherwise. */
  isOn: boolean;
  hint?: string;
  /** With an error the panel is open. */
  error: string | null;
  clearTo: string;
};

/** Its button says with a dot and in words that days are set. */
export function DatesField({ from, to, isOn, hint, error, clearTo }: DatesFieldProps) {
  const label = (
    <>
      Dates
      {isOn ? (
        <span className="ms-1.5 inline-block size-[0.55em] rounded-full bg-brand">
          <span className="sr-only"> (on)</span>
        </span>
      ) : null}
    </>
  );
  return (
    <DetailsPanel
      className="max-md:flex-[1_1_40%]"
      label={label}
      summaryClass={buttonStyle({ variant: "quiet", className: "w-full" })}
      isOpen={error !== null}
    >
      {hint ? <p className="text-ink-2 text-sm">{hint}</p> : null}
      <Field name="from" label="From Date" error={error ?? undefined}>
        <Input type="date" autoComplete="off" defaultValue={from ?? ""} />
      </Field>
      <Field name="to" label="To Date">
        <Input type="date" autoComplete="off" defaultValue={to ?? ""} />
      </Field>
      <ButtonRow dense className="items-center!">
        <Button type="submit">Apply Filter</Button>
        <Link to={clearTo}>Clear</Link>
      </ButtonRow>
    </DetailsPanel>
  );
}
