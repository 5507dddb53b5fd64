import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, Form, formKey, Input, SubmitButton, useFormResult } from "~/ui/form";
import { Notice, Panel } from "~/ui/page";
import { Mono, Time } from "~/ui/text";
import { mailedTo, sendTo } from "./labels";
import { LETTER_SENTENCES, type Letter, type LetterText, REASON_LENGTH, SENTENCE_LENGTH } from "./model";

type LetterFormProps = {
  letter: Letter;
  words: LetterText;
  recipients: readonly string[];
  version: number;
  path: string;
  token: string;
};

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
            <SubmitButton intent="save" variant="quiet" pendingLabel="Saving...">
              Save draft
            </SubmitButton>
            <SubmitButton intent="release" pendingLabel="Sending...">
              {sendTo(recipients)}
            </SubmitButton>
            <span className="text-ink-2 text-sm">{mailedTo(recipients)} You can't edit it afterwards.</span>
          </div>
        </Form>
      </Panel>
    </div>
  );
}

type LetterStateProps = {
  /** Null: it is a draft. */
  released: { at: number; by: string; recipients: number; hash: string } | null;
  pages: number;
  zone: string;
};

export function LetterState({ released, pages, zone }: LetterStateProps) {
  if (released) {
    return (
      <div className="grid gap-1 text-ink-2 print:hidden">
        <p>
          Released <Time at={released.at} zone={zone} /> by {released.by}, mailed to {released.recipients}.
        </p>
        <p className="wrap-anywhere text-sm">
          Kept as it was sent. SHA-256 <Mono>{released.hash}</Mono>
        </p>
      </div>
    );
  }
  return pages > 1 ? (
    <Notice
      kind="warning"
      title={`The letter has ${pages} pages`}
      message="Shorter reasons and sentences bring it back to one."
    />
  ) : null;
}
