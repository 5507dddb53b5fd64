import type { SelectHTMLAttributes } from "react";
import { type Tone, ToneIcon } from "./badge";
import { cx } from "./cx";
import { useField } from "./field";

export type Option = { value: string; label: string };

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "children"> & { options: readonly Option[] };

/** A native select: it works before scripts, and every phone knows how to show it. */
export function Select({ options, ...rest }: SelectProps) {
  return (
    <select {...useField()} {...rest}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

type SetSelectProps = SelectProps & { tone?: Tone; defaultValue: string };

/**
 * A select in the row or sheet it edits, coloured and marked by its state when it has a tone. The style sheet tells
 * what was changed by comparing with the option marked at rendering, so a new value must be a new element.
 */
export function SetSelect({ tone, ...rest }: SetSelectProps) {
  return (
    <span className={cx("set", tone ?? "plain")}>
      {tone ? <ToneIcon tone={tone} /> : null}
      <Select key={rest.defaultValue} {...rest} />
    </span>
  );
}
