import { type MouseEvent, useEffect, useState } from "react";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";

type InitialPasswordProps = {
  /** Holds the password that was generated. */
  password: string | null;
  hint: string;
  error: string | undefined;
};

/** Asks for the initial password, which is going to be handed over: it can be read, generated and copied. */
export function InitialPassword({ password, hint, error }: InitialPasswordProps) {
  return (
    <div className="grid gap-2">
      <Field
        name="password"
        label="Password"
        hint={`${hint}. It works for 72 hours, and a new one is chosen at the first sign-in.`}
        error={error}
      >
        <Input
          key={password}
          className="font-mono"
          autoComplete="new-password"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={password ?? ""}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="quiet" size="sm" name="intent" value="generate">
          Generate
        </Button>
        <CopyButton field="password" />
      </div>
    </div>
  );
}

/** Copies what stands in a field. Without scripts it is not there, and the text can be selected. */
function CopyButton({ field }: { field: string }) {
  const [isReady, setReady] = useState(false);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => setReady(Boolean(navigator.clipboard)), []);
  if (!isReady) return null;
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const input = currentTarget.form?.elements.namedItem(field);
    if (!(input instanceof HTMLInputElement) || input.value === "") return;
    await navigator.clipboard.writeText(input.value);
    setCopied(true);
  };
  return (
    <>
      <Button variant="quiet" size="sm" onClick={copy}>
        Copy
      </Button>
      <span className="text-sm text-success" role="status">
        {isCopied ? "Copied to clipboard" : null}
      </span>
    </>
  );
}
