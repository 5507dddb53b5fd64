import { Field } from "./field";
import { Input } from "./input";

type TypedConfirmationProps = {
  name?: string;
  /** Names the field, where more is to be said than what to type: that is then the hint. */
  label?: string;
  /** Names what has to be typed. */
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
