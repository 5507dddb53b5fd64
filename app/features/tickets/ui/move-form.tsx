import type { ReactNode } from "react";
import type { ValidationError } from "~/lib/form";
import { Button, ButtonRow, CancelLink } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Input, Select, SubmitButton, useFormResult } from "~/ui/form";
import { Confirmation } from "~/ui/page";
import type { readMoving } from "../moving.server";
import { movePath, staffTicketPath } from "../paths";

export const ORGANIZATION_SEARCH = "find";

type OrganizationSearchProps = {
  search: string;
  isEmpty: boolean;
  children?: ReactNode;
};

/** Asks for a part of an organization's name, where there are more than a select offers. Works without scripts. */
export function OrganizationSearch({ search, isEmpty, children }: OrganizationSearchProps) {
  return (
    <form method="get" className="flex flex-wrap items-end gap-3">
      {children}
      <div className="min-w-[min(12rem,100%)] flex-auto">
        <Field
          name={ORGANIZATION_SEARCH}
          label="Find an organization"
          hint={isEmpty ? `No organization has "${search}" in its name.` : undefined}
        >
          <Input key={search} type="search" maxLength={200} autoComplete="off" defaultValue={search} />
        </Field>
      </div>
      <Button type="submit" variant="quiet">
        Search
      </Button>
    </form>
  );
}

type MoveFormProps = NonNullable<Awaited<ReturnType<typeof readMoving>>> & { token: string };

export function MoveForm({ reference, title, organization, organizations, isMore, search, token }: MoveFormProps) {
  const path = movePath(reference);
  const error = useFormResult<ValidationError>(formKey(path, "move"));
  return (
    <Confirmation>
      <p className="wrap-anywhere">
        {reference} {title}, of {organization}. Its people will no longer see it. The other organization's people will
        be told, and the promised time will be counted again by their plan.
      </p>
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      {isMore || search ? <OrganizationSearch search={search} isEmpty={organizations.length === 0} /> : null}
      {organizations.length > 0 ? (
        <Form action={path} token={token} name="move">
          <Field name="organization_id" label="Organization" error={error?.errors.organization_id}>
            <Select key={search} options={organizations.map(({ id, name }) => ({ value: id, label: name }))} />
          </Field>
          <ButtonRow dense>
            <SubmitButton pendingLabel="Moving...">Move the ticket</SubmitButton>
            <CancelLink to={staffTicketPath(reference)} />
          </ButtonRow>
        </Form>
      ) : null}
    </Confirmation>
  );
}
