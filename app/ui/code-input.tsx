import { useField } from "./field";
import { focusOnLoad } from "./focus";

/**
 * Asks for a one-time code in one input with its slots drawn behind it. Six boxes would break pasting, autofill, undo
 * and screen readers. Nothing is submitted by itself: that would take control away and send twice. `focus`: the field
 * is the reason the page was shown.
 */
export function CodeInput({ mode, focus = true }: { mode: "totp" | "backup"; focus?: boolean }) {
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
      data-code=""
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      pattern="[0-9]*"
      maxLength={6}
      {...shared}
    />
  );
}
