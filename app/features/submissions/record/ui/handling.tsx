import type { ReactNode } from "react";
import { type Due, dueInWords, shortDay } from "~/lib/due";
import type { ValidationError } from "~/lib/form";
import { DueText } from "~/ui/due";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { InlineSelect } from "~/ui/inline-select";
import { Input } from "~/ui/input";
import { SaveButton } from "~/ui/save-button";
import { Select } from "~/ui/select";
import { Time } from "~/ui/time";
import type { SubmissionRecord } from "../../model";
import { STATUS_LOOK, STATUS_OPTIONS } from "../../ui/submission-status";

type HandlingProps = {
  submission: SubmissionRecord;
  due: Due | null;
  staff: readonly { id: string; name: string }[];
  zone: string;
  /** Holds the address of the page, which takes the form. */
  path: string;
  /** Holds the token of the form; `null` where the reader may change nothing. */
  token: string | null;
  error: ValidationError | null;
};

const BAR =
  "rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-4 pt-[0.65rem] pb-[0.8rem] print:hidden";
const GRID =
  "compact-labels grid [--field-gap:0.2rem] [&_:is(input,select)]:h-tap [&_:is(input,select)]:py-0 [&_select]:text-sm grid-cols-[1fr_1.15fr_1fr_1fr_auto] items-end gap-x-4 gap-y-2 @max-wide:grid-cols-2 @max-narrow:grid-cols-1";

/** Shows who looks after the submission, how far it is and what was promised, and saves all of it at once. */
export function Handling({ submission, due, staff, zone, path, token, error }: HandlingProps) {
  const promise = <Promised due={due} zone={zone} />;
  if (!token) return <div className={BAR}>{promise}</div>;
  const { status, owner, followUpOn } = submission;
  const former = owner && !staff.some((person) => person.id === owner.id) ? [owner] : [];
  const choices = [...staff, ...former].map((person) => ({ value: person.id, label: person.name }));
  return (
    <>
      <OnPaper submission={submission} due={due} />
      <Form action={path} token={token} name="handling" staysFilled className={BAR} aria-label="Handling">
        {error ? <ErrorSummary className="mb-3" title={error.title} errors={error.errors} /> : null}
        <input type="hidden" name="had_status" value={status} />
        <input type="hidden" name="had_owner" value={owner?.id ?? ""} />
        <input type="hidden" name="had_follow_up_on" value={followUpOn ?? ""} />
        <div className={GRID}>
          <Field name="status" label="Status">
            <InlineSelect tone={STATUS_LOOK[status].tone} options={STATUS_OPTIONS} defaultValue={status} />
          </Field>
          {promise}
          <Field name="owner" label="Owner">
            <Select
              key={owner?.id}
              options={[{ value: "", label: "No owner" }, ...choices]}
              defaultValue={owner?.id ?? ""}
            />
          </Field>
          <Field name="follow_up_on" label="Follow up on" error={error?.errors.follow_up_on}>
            <Input key={followUpOn} type="date" autoComplete="off" defaultValue={followUpOn ?? ""} />
          </Field>
          <div className="flex items-center">
            <SaveButton variant="quiet" name="intent" value="handling">
              Save
            </SaveButton>
          </div>
        </div>
      </Form>
    </>
  );
}

/** Says on paper what the controls show. */
function OnPaper({ submission: { owner, followUpOn }, due }: Pick<HandlingProps, "submission" | "due">) {
  const facts = [
    `Owner: ${owner?.name ?? "none"}`,
    ...(followUpOn ? [`Follow up: ${shortDay(followUpOn)}`] : []),
    ...(due ? [`Promise of 1 business day: ${dueInWords(due)}`] : []),
  ];
  return <p className="hidden print:block">{facts.join(" · ")}</p>;
}

/** Tells how the promise of an answer stands. */
function Promised({ due, zone }: { due: Due | null; zone: string }) {
  return (
    <div className="text-sm">
      <p className="mb-[0.2rem] font-semibold text-ink-2 text-xs">Promise: 1 business day</p>
      <div className="grid min-h-tap content-center leading-[1.2]">
        {due ? <State due={due} zone={zone} /> : "None"}
      </div>
    </div>
  );
}

function State({ due, zone }: { due: Due; zone: string }): ReactNode {
  const until = <Time at={due.dueAt} zone={zone} mode="short" />;
  const small = "text-ink-2 text-xs";
  switch (due.state) {
    case "kept":
      return (
        <>
          <span>
            <b>Kept.</b> Answered {due.time}
          </span>
          <small className={small}>was due {until}</small>
        </>
      );
    case "missed":
      return (
        <>
          <b>Answered {due.time} late</b>
          <small className={small}>was due {until}</small>
        </>
      );
    default:
      return (
        <>
          <DueText due={due} strong />
          <small className={small}>promised by {until}</small>
        </>
      );
  }
}
