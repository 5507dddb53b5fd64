import type { SelectHTMLAttributes } from "react";
import { controlLook } from "./control-look";
import { useField } from "./field";

export type Option = { value: string; label: string };

/**
 * Returns the options of a choice that may be left open: `none` first, with an empty value, then each value by its
 * label.
 */
export const optionsWithNone = <Value extends string>(
  none: string,
  values: readonly Value[],
  labels: Record<Value, string>,
): Option[] => [{ value: "", label: none }, ...values.map((value) => ({ value, label: labels[value] }))];

export type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "children"> & {
  options: readonly Option[];
  /** Sets the look; in a `bar`, of filters or of actions on rows, the look is that of the bar (list.css). */
  look?: "select" | "state" | "bar";
};

/** Renders a native select: it works before scripts, and every phone knows how to show it. */
export function Select({ options, look = "select", className, ...rest }: SelectProps) {
  return (
    <select className={look === "bar" ? className : controlLook({ kind: look, className })} {...useField()} {...rest}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
