import type { InputHTMLAttributes, ReactNode } from "react";
import { cx } from "./cx";
import { controlAttributes, FieldError, fieldLook, Hint, useFieldError } from "./field";

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
};

/** Shows a checkbox with its label after it; otherwise the order of every field: hint, error, control. */
export function Checkbox({ name, label, hint, error: given, id = name, value = "on", ...rest }: CheckboxProps) {
  const { error, onInput } = useFieldError(given);
  return (
    <div className={fieldLook()} data-field="" onInput={onInput}>
      {hint ? <Hint id={id}>{hint}</Hint> : null}
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      <Tick
        className="text-(color:--label-ink,inherit) text-(length:--label-text,inherit) wrap-anywhere"
        type="checkbox"
        value={value}
        {...controlAttributes({ id, name, hint: Boolean(hint), error: Boolean(error) })}
        {...rest}
      >
        <span>{label}</span>
      </Tick>
    </div>
  );
}

type TickProps = InputHTMLAttributes<HTMLInputElement> & {
  type: "checkbox" | "radio";
  /** Holds the label, in an element of its own. */
  children: ReactNode;
};

/** Renders a checkbox or a radio button with its label after it. `className` is for the label around both. */
export function Tick({ className, children, ...rest }: TickProps) {
  return (
    <label className={cx("flex items-start gap-[min(0.7rem,3vw)] font-normal [&>input]:mt-[0.15rem]", className)}>
      <input {...rest} />
      {children}
    </label>
  );
}
