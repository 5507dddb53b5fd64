import { useField } from "./field";
import { focusOnLoad } from "./focus";

type CodeInputProps = {
  mode: "totp" | "backup";
  /** Tells whether the field is the reason the page was shown. */
  focus?: boolean;
  /** Tells whether the form asks for nothing else, so that scripts send it with the sixth digit. */
  submits?: boolean;
};

/**
 * Asks for a one-time code in one input with its slots drawn behind it. Six boxes would break pasting, autofill, undo
 * and screen readers.
 */
export function CodeInput({ mode, focus = true, submits = false }: CodeInputProps) {
  const shared = { type: "text", spellCheck: false, ...(focus ? focusOnLoad : {}), ...useField() };
  if (mode === "backup") {
    return (
      <input
        className="code-slots [--gap:0.75ch] [--n:8]"
        data-code=""
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={8}
        {...shared}
      />
    );
  }
  return (
    <input
      className="code-slots"
      data-code={submits ? "submits" : ""}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      pattern="[0-9]*"
      maxLength={6}
      {...shared}
    />
  );
}
