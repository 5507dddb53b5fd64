import { Button } from "~/ui/button";
import { focusOnLoad, Input, useField } from "./form";

type CodeInputProps = {
  mode: "totp" | "backup";
  focus?: boolean;
  /** Tells whether the form asks for nothing else, so that scripts send it with the sixth digit. */
  submits?: boolean;
};

/** Six boxes would break pasting, autofill, undo and screen readers. */
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

/** The button stays hidden until the script runs. */
export function PasswordInput(props: { autoComplete: "current-password" | "new-password"; passwordrules?: string }) {
  return (
    <span className="relative grid [&:has(>button:not([hidden]))>input]:pr-19" data-password="">
      <Input type="password" {...props} />
      <Button variant="ghost" size="sm" className="absolute top-1/2 right-1 -translate-y-1/2" hidden>
        Show
      </Button>
    </span>
  );
}
