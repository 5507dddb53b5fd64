import { Field } from "~/ui/field";
import { Input } from "~/ui/input";

type WordFieldProps = { word: string; typed: string | undefined; error: string | undefined };

/** Asks for a word that has to be typed before something goes for good, as the field `confirm`. */
export function WordField({ word, typed, error }: WordFieldProps) {
  return (
    <Field name="confirm" label={`Type ${word} to confirm`} error={error}>
      <Input autoComplete="off" autoCapitalize="characters" spellCheck={false} defaultValue={typed} />
    </Field>
  );
}
