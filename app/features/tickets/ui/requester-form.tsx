import type { FieldErrors, FormValues, ValidationError } from "~/lib/form";
import { ButtonRow, CancelLink } from "~/ui/button";
import { EmailInput, ErrorSummary, Field, Form, formKey, Input, Select, SubmitButton, useFormResult } from "~/ui/form";
import { Confirmation } from "~/ui/page";
import { requesterPath, staffTicketPath } from "../paths";
import type { readRequesterChange } from "../requester.server";

type RequesterChange = NonNullable<Awaited<ReturnType<typeof readRequesterChange>>>;
type RequesterFormProps = RequesterChange & { token: string };

export function RequesterForm({ reference, title, organization, former, token, ...offered }: RequesterFormProps) {
  const path = requesterPath(reference);
  const error = useFormResult<ValidationError>(formKey(path, "change"));
  return (
    <Confirmation>
      <p className="wrap-anywhere">
        {reference} {title} is the ticket of {former}. They get no more mail about it unless they are on it.
      </p>
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <Form action={path} token={token} name="change" className="grid gap-4">
        <RequesterFields organization={organization} error={error} summary="A person without an account" {...offered} />
        <ButtonRow dense>
          <SubmitButton pendingLabel="Changing...">Change requester</SubmitButton>
          <CancelLink to={staffTicketPath(reference)} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}

type RequesterFieldsProps = Pick<RequesterChange, "people" | "contacts" | "hasMoreContacts" | "organization"> & {
  error: { values?: Partial<FormValues>; errors?: FieldErrors } | null | undefined;
  summary: string;
  withPhone?: boolean;
};

/** Nobody is chosen unless somebody chose: the ticket is mailed to this person. */
export function RequesterFields({ organization, people, contacts, hasMoreContacts, ...rest }: RequesterFieldsProps) {
  const { error, summary, withPhone } = rest;
  const { values, errors } = error ?? {};
  const isKnown = people.length + contacts.length > 0;
  const hasTyped = Boolean(values?.requester_name || values?.requester_email || values?.requester_phone);
  return (
    <>
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
        <summary className="cursor-pointer py-1 text-sm max-md:py-3">{summary}</summary>
        <div className="mt-2 grid gap-4 border-line border-l-3 pl-4">
          <p className="text-ink-2 text-sm">They are answered by mail, and need no account for it.</p>
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
          {withPhone ? (
            <Field name="requester_phone" label="Phone" error={errors?.requester_phone} optional>
              <Input type="tel" maxLength={40} autoComplete="off" defaultValue={values?.requester_phone} />
            </Field>
          ) : null}
        </div>
      </details>
    </>
  );
}
