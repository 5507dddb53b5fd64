import type { InputHTMLAttributes } from "react";
import { controlLook } from "./control-look";
import { useField } from "./field";

/** Renders a one-line text control. Inside a `Field` it takes its name, id and description from there. */
export function Input({ type = "text", className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type={type} className={controlLook({ className })} {...useField()} {...rest} />;
}

/** Renders an input for one email address. Password managers look for `username` in the forms of an account. */
export function EmailInput({
  autoComplete,
  defaultValue,
}: {
  autoComplete: "username" | "email" | "off";
  defaultValue?: string;
}) {
  return (
    <Input
      type="email"
      autoComplete={autoComplete}
      autoCapitalize="off"
      spellCheck={false}
      defaultValue={defaultValue}
    />
  );
}
