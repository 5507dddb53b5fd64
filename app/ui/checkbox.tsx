import type { InputHTMLAttributes, ReactNode } from "react";
import { FieldError, Hint, wiring } from "./field";

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
};

/** A checkbox with its label after it; otherwise the order of every field: hint, error, control. */
export function Checkbox({ name, label, hint, error, id = name, value = "on", ...rest }: CheckboxProps) {
  return (
    <div className="field">
      {hint ? <Hint id={id}>{hint}</Hint> : null}
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      <label className="tick">
        <input
          type="checkbox"
          value={value}
          {...wiring({ id, name, hint: Boolean(hint), error: Boolean(error) })}
          {...rest}
        />
        <span>{label}</span>
      </label>
    </div>
  );
}
