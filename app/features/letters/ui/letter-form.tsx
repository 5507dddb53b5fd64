import type { ValidationError } from "~/lib/form";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Input } from "~/ui/input";
import { Panel } from "~/ui/panel";
import { mailedTo, sendTo } from "../copy";
import { LETTER_SENTENCES, type Letter, type LetterWords, REASON_LENGTH, SENTENCE_LENGTH } from "../model";

type LetterFormProps = {
  letter: Letter;
  words: LetterWords;
  /** Lists the names of those who get it by mail. */
  recipients: readonly string[];
  version: number;
  path: string;
  token: string;
};

/** Takes what staff add to a draft, and releases it. */
export function LetterForm({ letter, words, recipients, version, path, token }: LetterFormProps) {
  const error = useFormResult<ValidationError>(formKey(path, "letter")) ?? null;
  const { values, errors } = error ?? {};
  return (
    <div className="print:hidden">
      <Panel id="words" title="Your words">
        <Form action={path} token={token} name="letter" className="grid gap-4">
          {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
          <input type="hidden" name="version" value={values?.version ?? version} />
          {letter.misses.map(({ ticket, title, promised }, index) => {
            const name = `reason_${index + 1}`;
            return (
              <Field
                key={name}
                name={name}
                label={`Why was ${ticket} late?`}
                hint={`${title}, promised ${promised}`}
                error={errors?.[name]}
              >
                <Input
                  maxLength={REASON_LENGTH}
                  autoComplete="off"
                  defaultValue={values?.[name] ?? words.reasons[index] ?? ""}
                />
              </Field>
            );
          })}
          {LETTER_SENTENCES.map((label, index) => {
            const name = `sentence_${index + 1}`;
            return (
              <Field key={name} name={name} label={label} error={errors?.[name]} optional>
                <Input
                  maxLength={SENTENCE_LENGTH}
                  autoComplete="off"
                  defaultValue={values?.[name] ?? words.sentences[index] ?? ""}
                />
              </Field>
            );
          })}
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton name="intent" value="save" variant="quiet" pendingLabel="Saving...">
              Save draft
            </SubmitButton>
            <SubmitButton name="intent" value="release" pendingLabel="Sending...">
              {sendTo(recipients)}
            </SubmitButton>
            <span className="text-ink-2 text-sm">{mailedTo(recipients)} You can't edit it afterwards.</span>
          </div>
        </Form>
      </Panel>
    </div>
  );
}
