import type { TextareaHTMLAttributes } from "react";
import { controlLook } from "./control-look";
import { useField } from "./field";

/** Takes several lines of text; grows with what is typed where the browser can. */
export function Textarea({ rows = 5, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      rows={rows}
      className={controlLook({ kind: "area" })}
      autoComplete="off"
      spellCheck
      {...useField()}
      {...rest}
    />
  );
}
