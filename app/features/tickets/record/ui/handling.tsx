import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { InlineSelect } from "~/ui/inline-select";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { SaveButton } from "~/ui/save-button";
import { Select } from "~/ui/select";
import { Textarea } from "~/ui/textarea";
import { CATEGORY_NONE, PRIORITY_OPTIONS, STATUS_OPTIONS, UNASSIGNED } from "../../copy";
import { TICKET_CATEGORIES } from "../../model";
import type { StoredTicket } from "../../queries.server";
import { allowancesPath, movePath, staffCopiesPath } from "../../subject";
import { STATUS_TONES } from "../../ui/badges";
import { useTicketError } from "./use-ticket-error";

type HandledTicket = Pick<StoredTicket, "status" | "assignee" | "category" | "priority"> & { reference: string };

type HandlingProps = {
  ticket: HandledTicket;
  staff: readonly { id: string; name: string }[];
  /** Holds the address of the page, which takes the form. */
  path: string;
  tokens: { handling: string | null; priority: string | null };
};

const CATEGORIES = [
  { value: "", label: CATEGORY_NONE },
  ...TICKET_CATEGORIES.map((value) => ({ value, label: value })),
];

/** Saves how far the ticket is, who has it and what it is about; and, with a reason, how urgent it is. */
export function Handling({ ticket, staff, path, tokens }: HandlingProps) {
  const { status, assignee, category } = ticket;
  const error = useTicketError(path, "handling");
  const former = assignee && !staff.some(({ id }) => id === assignee.id) ? [assignee] : [];
  const choices = [...staff, ...former].map(({ id, name }) => ({ value: id, label: name }));
  // Resolving says what was done, beside the reply.
  const statuses = STATUS_OPTIONS.filter(({ value }) => value !== "resolved" || status === "resolved");
  if (!tokens.handling) return null;
  return (
    <Panel id="handling" title="Ticket details">
      <p className="hidden print:block">
        Assigned to: {assignee?.name ?? UNASSIGNED} · {category ?? CATEGORY_NONE}
      </p>
      <Form action={path} token={tokens.handling} name="handling" staysFilled className="grid gap-3 print:hidden">
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        <input type="hidden" name="had_status" value={status} />
        <input type="hidden" name="had_assignee_id" value={assignee?.id ?? ""} />
        <input type="hidden" name="had_category" value={category ?? ""} />
        <Field name="status" label="Status">
          <InlineSelect tone={STATUS_TONES[status]} options={statuses} defaultValue={status} />
        </Field>
        <Field name="assignee_id" label="Assigned to">
          <Select
            key={assignee?.id}
            options={[{ value: "", label: UNASSIGNED }, ...choices]}
            defaultValue={assignee?.id ?? ""}
          />
        </Field>
        <Field name="category" label="Category">
          <Select key={category} options={CATEGORIES} defaultValue={category ?? ""} />
        </Field>
        <SaveButton variant="quiet" size="sm" name="intent" value="handling">
          Save
        </SaveButton>
      </Form>
      {tokens.priority ? <Priority priority={ticket.priority} path={path} token={tokens.priority} /> : null}
      <p className="mt-2 grid justify-items-start border-line border-t pt-1 text-sm print:hidden [&_a]:py-1 max-md:[&_a]:py-3">
        <Link to={allowancesPath(ticket.reference)}>Use of the plan…</Link>
        <Link to={staffCopiesPath(ticket.reference)}>Copy other addresses…</Link>
        <Link to={movePath(ticket.reference)}>Move to another organization…</Link>
      </p>
    </Panel>
  );
}

function Priority({ priority, path, token }: { priority: string; path: string; token: string }) {
  const error = useTicketError(path, "priority");
  return (
    <details className="mt-3 border-line border-t pt-1 print:hidden" open={error ? true : undefined}>
      <summary className="cursor-pointer py-1 text-sm max-md:py-3">Change the priority…</summary>
      <Form action={path} token={token} name="priority" className="mt-2 grid gap-3">
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        <Field name="priority" label="Priority" error={error?.errors.priority}>
          <Select key={priority} options={PRIORITY_OPTIONS} defaultValue={error?.values.priority ?? priority} />
        </Field>
        <Field name="reason" label="Reason" hint="The client reads it." error={error?.errors.reason}>
          <Textarea rows={2} maxLength={500} defaultValue={error?.values.reason} />
        </Field>
        <SubmitButton
          className="justify-self-start"
          variant="quiet"
          size="sm"
          name="intent"
          value="priority"
          pendingLabel="Saving..."
        >
          Change priority
        </SubmitButton>
      </Form>
    </details>
  );
}
