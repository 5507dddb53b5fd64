import type { InputHTMLAttributes, ReactNode } from "react";
import { cx } from "./cx";
import { FieldError, fieldLook, Hint, wiring } from "./field";

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
};

/** Shows a checkbox with its label after it; otherwise the order of every field: hint, error, control. */
export function Checkbox({ name, label, hint, error, id = name, value = "on", ...rest }: CheckboxProps) {
  return (
    <div className={fieldLook()} data-field="">
      {hint ? <Hint id={id}>{hint}</Hint> : null}
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      <TickLabel className="text-(color:--label-ink,inherit) text-(length:--label-text,inherit) wrap-anywhere">
        <input
          type="checkbox"
          value={value}
          {...wiring({ id, name, hint: Boolean(hint), error: Boolean(error) })}
          {...rest}
        />
        <span>{label}</span>
      </TickLabel>
    </div>
  );
}

/** Renders a checkbox or a radio button with its label after it. */
export function TickLabel({ className, children }: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label className={cx("flex items-start gap-[0.7rem] font-normal [&>input]:mt-[0.15rem]", className)}>
      {children}
    </label>
  );
}
