import type { SelectHTMLAttributes } from "react";
import { useField } from "./field";

export type Option = { value: string; label: string };

export type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "children"> & { options: readonly Option[] };

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
