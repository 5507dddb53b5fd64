import { Button } from "./button";
import { buttonLook } from "./button-look";
import { ButtonRow } from "./button-row";
import { cx } from "./cx";
import { Field } from "./field";
import { Input } from "./input";
import { Link } from "./link";
import { type Option, Select } from "./select";

/*
 * The filter fields that lists have in common. Their names are the parameters of the address.
 */

/** Asks what to search for. */
export function SearchField({ label, value, max }: { label: string; value: string; max: number }) {
  return (
    <Field name="q" label={label}>
      <Input type="search" maxLength={max} autoComplete="off" inputMode="search" defaultValue={value} />
    </Field>
  );
}

type ChoiceProps = { options: readonly Option[]; value: string };

/** Asks for the order of the rows. */
export function SortField({ options, value }: ChoiceProps) {
  return (
    <Field name="sort" label="Order">
      <Select options={options} defaultValue={value} />
    </Field>
  );
}

/** Asks how many rows a page has. */
export function SizeField({ options, value }: ChoiceProps) {
  return (
    <Field name="size" label="Page">
      <Select options={options} defaultValue={value} />
    </Field>
  );
}

type DatesFieldProps = {
  /** Calendar days, or empty. */
  from: string;
  to: string;
  /** Tells whether the list is limited to certain days, by these fields or otherwise. */
  isOn: boolean;
  /** Text above the fields. */
  hint?: string;
  /** Says why these days are invalid, or `null`. With an error the panel is open. */
  error: string | null;
  /** Address of the list without these days. */
  clearTo: string;
};

/** Asks for two days, both inclusive. Its button says with a dot and in words that days are set. */
export function DatesField({ from, to, isOn, hint, error, clearTo }: DatesFieldProps) {
  return (
    <details className="relative @max-medium:flex-[1_1_40%]" open={error !== null || undefined}>
      <summary
        className={cx(
          buttonLook({ variant: "quiet" }),
          "@max-medium:w-full list-none [&::-webkit-details-marker]:hidden",
        )}
      >
        Dates
        {isOn ? (
          <span className="before:ms-[0.4em] before:me-[0.15em] before:inline-block before:size-[0.55em] before:rounded-full before:bg-brand before:content-['']">
            {" (on)"}
          </span>
        ) : null}
      </summary>
      <div className="floating absolute right-0 z-3 mt-[0.4rem] grid @max-medium:w-[calc(100cqw-2rem)] w-[min(17rem,100vw-2rem)] gap-3 rounded-3 border border-line-strong bg-raised p-4">
        {hint ? <p className="text-ink-2 text-sm">{hint}</p> : null}
        <Field name="from" label="From Date" error={error ?? undefined}>
          <Input type="date" autoComplete="off" defaultValue={from} />
        </Field>
        <Field name="to" label="To Date">
          <Input type="date" autoComplete="off" defaultValue={to} />
        </Field>
        <ButtonRow dense>
          <Button type="submit" size="sm">
            Apply Filter
          </Button>
          {isOn ? <Link to={clearTo}>Clear</Link> : null}
        </ButtonRow>
      </div>
    </details>
  );
}
