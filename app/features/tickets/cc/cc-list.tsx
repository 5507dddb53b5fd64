import type { ValidationError } from "~/lib/form";
import { ButtonRow, LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Input, SubmitButton, useFormResult } from "~/ui/form";
import { Confirmation } from "~/ui/page";
import { EmailText } from "~/ui/text";
import type { CcPage } from "./queries.server";

type CcListProps = CcPage & {
  path: string;
  ticketPath: string;
  token: string;
  /** Names the organization that a client works in; null: staff. */
  organizationId: string | null;
};

export function CcList({ title, reference, copies, closed, path, ticketPath, token, organizationId }: CcListProps) {
  const error = useFormResult<ValidationError>(formKey(path, "add-copy"));
  const organization = organizationId ? <input type="hidden" name="organization_id" value={organizationId} /> : null;
  return (
    <Confirmation>
      <p className="wrap-anywhere">
        {reference} {title}. These addresses get every public message by mail, with the ones before it, and read nothing
        else.
      </p>
      {copies.length === 0 ? <p className="text-ink-2">No addresses yet</p> : null}
      <ul className="grid gap-2">
        {copies.map(({ id, email }) => (
          <li key={id} className="flex items-center justify-between gap-3">
            <span className="wrap-anywhere">
              <EmailText email={email} />
            </span>
            <Form action={path} token={token} name={`remove ${id}`}>
              {organization}
              <input type="hidden" name="copy" value={id} />
              <SubmitButton
                variant="quiet"
                size="xs"
                name="intent"
                value="remove_copy"
                aria-label={`Remove ${email}`}
                pendingLabel="Removing..."
              >
                Remove
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      {closed ? <p className="text-ink-2">{closed}</p> : null}
      <Form key={copies.length} action={path} token={token} name="add-copy" className="grid gap-4">
        {organization}
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        {closed ? null : (
          <Field name="email" label="Address" error={error?.errors.email}>
            <Input type="email" autoComplete="off" defaultValue={error?.values.email} />
          </Field>
        )}
        <ButtonRow dense>
          {closed ? null : (
            <SubmitButton intent="add_copy" pendingLabel="Adding...">
              Add
            </SubmitButton>
          )}
          <LinkButton variant="quiet" to={ticketPath}>
            Back to the ticket
          </LinkButton>
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
