import type { InputHTMLAttributes } from "react";
import { useField } from "./field";

/** A one-line text control. Inside a `Field` it takes its name, id and description from there. */
export function Input({ type = "text", ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type={type} {...useField()} {...rest} />;
}
