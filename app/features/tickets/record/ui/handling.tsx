import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { InlineSelect } from "~/ui/inline-select";
import { Panel } from "~/ui/panel";
import { SaveButton } from "~/ui/save-button";
import { Select } from "~/ui/select";
import { Textarea } from "~/ui/textarea";
import { CATEGORY_NONE, PRIORITY_OPTIONS, STATUS_OPTIONS, UNASSIGNED } from "../../copy";
import { TICKET_CATEGORIES } from "../../model";
import type { StoredTicket } from "../../queries.server";
import { STATUS_TONES } from "../../ui/badges";
import { OrganizationSearch } from "../../ui/organization-search";
import { useTicketError } from "./use-ticket-error";

type HandledTicket = Pick<StoredTicket, "status" | "assignee" | "category" | "priority">;

type HandlingProps = {
  ticket: HandledTicket;
  staff: readonly { id: string; name: string }[];
  moving: {
    /** Organizations that the ticket could be moved to. */
    organizations: readonly { id: string; name: string }[];
    /** There are more than are offered. */
    isMore: boolean;
    /** What was searched for; empty: nothing. */
    search: string;
  };
  /** Address of the page. */
  path: string;
  tokens: { handling: string | null; priority: string | null; move: string | null };
};

const CATEGORIES = [
  { value: "", label: CATEGORY_NONE },
  ...TICKET_CATEGORIES.map((value) => ({ value, label: value })),
];

/** Saves how far the ticket is, who has it and what it is about; and, with a reason, how urgent it is. */
export function Handling({ ticket, staff, moving, path, tokens }: HandlingProps) {
  const { status, assignee, category } = ticket;
  const error = useTicketError(path, "handling");
  const former = assignee && !staff.some(({ id }) => id === assignee.id) ? [assignee] : [];
  const choices = [...staff, ...former].map(({ id, name }) => ({ value: id, label: name }));
  // Resolving says what was done, beside the reply.
  const statuses = STATUS_OPTIONS.filter(({ value }) => value !== "resolved" || status === "resolved");
  if (!tokens.handling) return null;
  return (
    <Panel id="handling" title="Ticket details">
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
      {tokens.move && (moving.organizations.length > 0 || moving.search) ? (
        <Move moving={moving} path={path} token={tokens.move} />
      ) : null}
    </Panel>
  );
}

function Priority({ priority, path, token }: { priority: string; path: string; token: string }) {
  const error = useTicketError(path, "priority");
  return (
    <details className="mt-3 border-line border-t pt-2 print:hidden" open={error ? true : undefined}>
      <summary className="cursor-pointer text-sm">Change the priority…</summary>
      <Form action={path} token={token} name="priority" className="mt-2 grid gap-3">
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        <Field name="priority" label="Priority" error={error?.errors.priority}>
          <Select key={priority} options={PRIORITY_OPTIONS} defaultValue={error?.values.priority ?? priority} />
        </Field>
        <Field name="reason" label="Reason" hint="The client reads it." error={error?.errors.reason}>
          <Textarea rows={2} maxLength={500} defaultValue={error?.values.reason} />
        </Field>
        <SubmitButton variant="quiet" size="sm" name="intent" value="priority" pendingLabel="Saving...">
          Change priority
        </SubmitButton>
      </Form>
    </details>
  );
}

type MoveProps = Pick<HandlingProps, "moving" | "path"> & { token: string };

/** Moves the ticket to another organization, whose people and promises it has from then on. */
function Move({ moving: { organizations, isMore, search }, path, token }: MoveProps) {
  const error = useTicketError(path, "move");
  return (
    <details
      key={search}
      id="move"
      className="mt-2 border-line border-t pt-2 print:hidden"
      open={error || search ? true : undefined}
    >
      <summary className="cursor-pointer text-sm">Move to another organization…</summary>
      <div className="mt-2 grid gap-3">
        {isMore || search ? (
          <OrganizationSearch search={search} path={`${path}#move`} isEmpty={organizations.length === 0} />
        ) : null}
        {organizations.length > 0 ? (
          <Form action={path} token={token} name="move" className="grid gap-3">
            {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
            <Field
              name="organization_id"
              label="Organization"
              hint="Nobody of the present one sees the ticket any more. What is promised is counted again."
              error={error?.errors.organization_id}
            >
              <Select key={search} options={organizations.map(({ id, name }) => ({ value: id, label: name }))} />
            </Field>
            <SubmitButton variant="quiet" size="sm" name="intent" value="move" pendingLabel="Moving...">
              Move
            </SubmitButton>
          </Form>
        ) : null}
      </div>
    </details>
  );
}
