import { buttonLook } from "~/ui/button-look";
import { cx } from "~/ui/cx";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Icon } from "~/ui/icon";
import { CheckCheck } from "~/ui/icons";
import { Textarea } from "~/ui/textarea";
import { clientTicketPath } from "../../subject";
import { NewerMessages } from "../../ui/newer-messages";
import { SeenMessages } from "../../ui/seen-messages";
import { BAND, type ClientTicketPage, type ClientTicketResult, STILL_WRONG } from "../model";
import { ChangeForm } from "./rail";

type SolveBandProps = Pick<ClientTicketPage, "number" | "organizationId" | "question"> & {
  tokens: { reply: string; change: string };
};

/**
 * Asks whether the ticket is solved, as the mail does. "No" opens the field in which to say what is still wrong: it is
 * what the address names then, so that it works without scripts too.
 */
export function SolveBand({ number, organizationId, question, tokens }: SolveBandProps) {
  const action = `${clientTicketPath(number)}#${STILL_WRONG}`;
  const result = useFormResult<ClientTicketResult>(formKey(action, "broken"));
  const problem = result?.intent === "broken" ? result : undefined;
  if (!question) return null;
  const { title, text, isOpen, reopens, asked } = question;
  return (
    <section
      className="group/band grid scroll-mt-4 gap-x-6 gap-y-3 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-[1.15rem] py-4 md:grid-cols-[minmax(0,1fr)_auto] print:hidden"
      id={BAND}
      tabIndex={-1}
      aria-labelledby={`${BAND}-title`}
    >
      <div>
        <h2 id={`${BAND}-title`}>{title}</h2>
        <p className="text-ink-2">{text}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3 max-md:[&_:is(a,button)]:flex-auto">
        {isOpen ? (
          <ChangeForm
            number={number}
            organizationId={organizationId}
            token={tokens.change}
            intent="move"
            name="solved"
            className="max-md:flex max-md:flex-auto"
          >
            <SubmitButton name="move" value="solved" pendingLabel="Saving…">
              <span className="inline-flex items-center gap-2">
                <Icon of={CheckCheck} /> Yes, solved
              </span>
            </SubmitButton>
          </ChangeForm>
        ) : null}
        <a
          className={buttonLook({
            variant: "quiet",
            className: "group-has-[#still-wrong:target]/band:bg-sunken",
          })}
          href={`#${STILL_WRONG}`}
        >
          No, still broken
        </a>
      </div>
      <Form
        className={cx(
          "col-span-full gap-3 border-line border-t pt-3",
          problem ? "grid" : "hidden has-[#still-wrong:target]:grid",
        )}
        action={action}
        name="broken"
        token={tokens.reply}
      >
        <input type="hidden" name="organization_id" value={organizationId} />
        <input type="hidden" name="intent" value="broken" />
        {problem?.values.secret ? <input type="hidden" name="secret" value={problem.values.secret} /> : null}
        {problem ? <ErrorSummary title={problem.title} errors={problem.errors} ids={{ body: STILL_WRONG }} /> : null}
        {problem?.overtaken ? <NewerMessages overtaken={problem.overtaken} /> : null}
        <SeenMessages key={problem?.values.begun_at_message} shown={asked} pinned={problem?.values.begun_at_message} />
        <Field name="body" id={STILL_WRONG} label="What is still wrong?" error={problem?.errors.body}>
          <Textarea rows={3} defaultValue={problem?.values.body} />
        </Field>
        <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <SubmitButton pendingLabel="Sending…">
            {problem?.values.secret || problem?.overtaken ? "Send anyway" : reopens ? "Send and reopen" : "Send"}
          </SubmitButton>
          {problem ? null : (
            <a className="py-2" href={`#${BAND}`}>
              Cancel
            </a>
          )}
        </p>
      </Form>
    </section>
  );
}
