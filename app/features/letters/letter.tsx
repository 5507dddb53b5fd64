import type { ReactNode } from "react";
import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, Input } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { Panel } from "~/ui/panel";
import { Mono, Time } from "~/ui/text";
import { mailedTo, sendTo } from "./labels";
import { LETTER_SENTENCES, type Letter, type LetterText, REASON_LENGTH, SENTENCE_LENGTH } from "./model";

type LetterContentProps = {
  letter: Letter;
  sender: { name: string; lines: readonly string[] };
  signedBy: string;
  /** The address of a ticket, by its number. */
  ticketPath: (ticket: string) => string;
};

export function LetterContent({ letter, sender, signedBy, ticketPath }: LetterContentProps) {
  const { organization, title, date, verdict, intro, numbers, misses, moreMisses, asked, agreed, waiting } = letter;
  return (
    <article className="@container grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-6 py-7 max-md:px-4 print:border-0 print:p-0">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-ink border-b-2 pb-4 text-ink-2 text-sm">
        <div className="wrap-anywhere min-w-0">
          <Logo size="sm" name={sender.name} to="/" />
          {sender.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <div className="wrap-anywhere min-w-0">
          {[organization, title, date].map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </div>
      <h2 className="text-[1.5rem]/[1.25]">{verdict}</h2>
      <p>{intro}</p>
      <dl className="grid @min-[12rem]:grid-cols-2 @min-[26rem]:grid-cols-4 grid-cols-1 gap-x-4 gap-y-4 *:border-line-strong *:border-t *:pt-2">
        {numbers.map(({ value, label }) => (
          <div key={label} className="flex flex-col-reverse justify-end">
            <dt className="text-ink-2 text-sm">{label}</dt>
            <dd className="font-bold text-brand text-lg">{value}</dd>
          </div>
        ))}
      </dl>
      {misses.length > 0 ? (
        <Part title={misses.length === 1 ? "The promise we missed" : "The promises we missed"}>
          <ul className="grid gap-3">
            {misses.map(({ ticket, title: subject, promised, answered, reason }) => (
              <li key={`${ticket} ${promised}`} className="border-line border-t pt-2">
                <Link to={ticketPath(ticket)}>{ticket}</Link> {subject}
                <p className="text-ink-2 text-sm">
                  Promised {promised}, answered {answered}
                </p>
                {reason ? <p>{reason}</p> : null}
              </li>
            ))}
          </ul>
          {moreMisses ? <p className="mt-2 text-ink-2">{moreMisses}</p> : null}
        </Part>
      ) : null}
      <div className="flex flex-wrap gap-x-8 gap-y-6 *:min-w-0 *:flex-[1_1_16rem]">
        <Part title="What you asked for">
          {asked.length === 0 ? (
            <p className="text-ink-2">Nothing this month.</p>
          ) : (
            <Pairs pairs={asked.map(({ label, count }) => [label, count])} />
          )}
        </Part>
        <Part title="What we agreed">
          <Pairs pairs={agreed.map(({ label, value }) => [label, value])} />
        </Part>
      </div>
      {waiting.length > 0 ? (
        <Part title="Waiting for you">
          <ul className="grid gap-1">
            {waiting.map(({ ticket, title: subject }) => (
              <li key={ticket}>
                <Link to={ticketPath(ticket)}>{ticket}</Link> {subject}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      {letter.sentences.length > 0 ? (
        <Part title="From us">
          {letter.sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Part>
      ) : null}
      <p className="border-line border-t pt-3">{signedBy}</p>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="wrap-anywhere">
      <h3 className="mb-1 text-md">{title}</h3>
      {children}
    </section>
  );
}

function Pairs({ pairs }: { pairs: readonly (readonly [string, string])[] }) {
  return (
    <dl className="*:border-line *:border-t *:py-1.5">
      {pairs.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="max-w-[60%] flex-none">{label}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

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
