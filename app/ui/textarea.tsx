import type { TextareaHTMLAttributes } from "react";
import { useField } from "./field";

/** Several lines of text; grows with what is typed where the browser can. */
export function Textarea({ rows = 5, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea rows={rows} autoComplete="off" spellCheck {...useField()} {...rest} />;
}
