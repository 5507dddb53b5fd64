import { Field, Input } from "./field";

type TypedConfirmationProps = {
  name?: string;
  label?: string;
  what: string;
  inCapitals?: boolean;
  typed: string | undefined;
  error: string | undefined;
};

/** Asks to type a name or a word before something that cannot be undone. */
export function TypedConfirmation({ name = "confirm", label, what, inCapitals, typed, error }: TypedConfirmationProps) {
  const request = `Type “${what}” to confirm`;
  return (
    <Field name={name} label={label ?? request} hint={label ? `${request}.` : undefined} error={error}>
      <Input
        autoComplete="off"
        autoCapitalize={inCapitals ? "characters" : undefined}
        spellCheck={false}
        defaultValue={typed}
      />
    </Field>
  );
}
