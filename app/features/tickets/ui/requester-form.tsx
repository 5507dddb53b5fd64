import type { ValidationError } from "~/lib/form";
import { ButtonRow, CancelLink } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { EmailInput, Field, Input, Select } from "~/ui/field";
import { Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Confirmation } from "~/ui/panel";
import { requesterPath, staffTicketPath } from "../paths";

type Offered = { id: string; name: string; email: string };

type RequesterFormProps = {
  reference: string;
  title: string;
  organization: string;
  /** Says whose ticket it is now. */
  former: string;
  people: readonly Offered[];
  /** Those of the organization who have no account. */
  contacts: readonly Offered[];
  hasMoreContacts: boolean;
  token: string;
};

/** Asks whose ticket it is: somebody of its organization, or a person by name and address. */
export function RequesterForm({ reference, title, organization, former, token, ...offered }: RequesterFormProps) {
  const { people, contacts, hasMoreContacts } = offered;
  const path = requesterPath(reference);
  const error = useFormResult<ValidationError>(formKey(path, "change"));
  const isKnown = people.length + contacts.length > 0;
  const hasTyped = Boolean(error?.values.requester_name || error?.values.requester_email);
  const { errors, values } = error ?? {};
  return (
    <Confirmation>
      <p className="wrap-anywhere">
        {reference} {title} is the ticket of {former}. They get no more mail about it unless they are on it.
      </p>
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <Form action={path} token={token} name="change" className="grid gap-4">
        {isKnown ? (
          <Field
            name="person"
            label={`Person at ${organization}`}
            hint={
              hasMoreContacts ? "Not all people without an account are listed. Type the address of others." : undefined
            }
            error={errors?.person}
          >
            <Select
              options={[
                { value: "", label: "Choose a person" },
                ...people.map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` })),
                ...contacts.map(({ id, name, email }) => ({ value: id, label: `${name}, ${email} (no account)` })),
              ]}
              defaultValue={values?.person}
            />
          </Field>
        ) : null}
        <details open={!isKnown || hasTyped || undefined}>
          <summary className="cursor-pointer py-1 text-sm max-md:py-3">A person without an account</summary>
          <div className="mt-2 grid gap-4 border-line border-l-3 pl-4">
            <Field
              name="requester_name"
              label="Name"
              error={errors?.requester_name ?? (isKnown ? undefined : errors?.person)}
            >
              <Input maxLength={120} autoComplete="off" defaultValue={values?.requester_name} />
            </Field>
            <Field name="requester_email" label="Email" error={errors?.requester_email}>
              <EmailInput autoComplete="off" defaultValue={values?.requester_email} />
            </Field>
          </div>
        </details>
        <ButtonRow dense>
          <SubmitButton pendingLabel="Changing...">Change requester</SubmitButton>
          <CancelLink to={staffTicketPath(reference)} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
