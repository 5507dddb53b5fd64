import { FilesField } from "~/features/attachments/files";
import { SecretWarning } from "~/features/conversation/composer";
import { organizationPath } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import { Button, LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Input, Select, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Box } from "~/ui/page";
import { CATEGORY_OPTIONS, PRIORITY_OPTIONS } from "../labels";
import { DEFAULT_PRIORITY, IMPACT_LIMIT, MESSAGE_LIMIT, TITLE_LIMIT } from "../model";
import { ORGANIZATION_SEARCH, OrganizationSearch } from "../ui/move-form";
import { RequesterFields } from "../ui/requester-form";
import type { readStaffOpening } from "./staff-opening.server";

type StaffOpening = Awaited<ReturnType<typeof readStaffOpening>>;

export function OrganizationChoice({ organizations, isMore, search, organization, submission, path }: StaffOpening) {
  const chosen = organization?.id ?? null;
  const isEmpty = search !== "" && organizations.every(({ id }) => id === chosen);
  const kept = submission ? <input type="hidden" name="submission" value={submission.id} /> : null;
  return (
    <Box className="grid max-w-200 gap-4">
      {isMore || search ? (
        <OrganizationSearch search={search} isEmpty={isEmpty}>
          {kept}
        </OrganizationSearch>
      ) : null}
      {isEmpty ? (
        <p className="text-sm">
          <Link to={path}>Show all organizations</Link>
        </p>
      ) : null}
      {organizations.length > 0 ? (
        <form method="get" className="flex flex-wrap items-end gap-3">
          {search ? <input type="hidden" name={ORGANIZATION_SEARCH} value={search} /> : null}
          {kept}
          <div className="min-w-[min(16rem,100%)] flex-auto">
            <Field
              name="organization"
              label="Organization"
              hint={isMore ? `${organizations.length} of more. Search for others.` : undefined}
            >
              <Select
                key={`${search} ${chosen}`}
                options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
                defaultValue={chosen ?? undefined}
              />
            </Field>
          </div>
          <Button type="submit" variant="quiet">
            Choose
          </Button>
        </form>
      ) : null}
    </Box>
  );
}

function beginningOf({ submission, people, contacts }: StaffOpening): Record<string, string | undefined> {
  if (!submission) return {};
  const { number, email, message } = submission;
  return {
    person: [...(people ?? []), ...contacts].find((person) => person.email === email)?.id,
    title: `Request ${number}`,
    description: message,
  };
}

export function StaffTicketForm({ mayInvite, token, ...page }: StaffOpening & { mayInvite: boolean; token: string }) {
  const { organization, people, contacts, hasMoreContacts, isInvited, path } = page;
  const error = useFormResult<ValidationError>(formKey(path, "open")) ?? null;
  const { values, errors } = error ?? { values: beginningOf(page) };
  if (!organization || !people) return null;
  return (
    <Box className="max-w-200">
      <Form action={path} token={token} name="open" encType="multipart/form-data" className="grid gap-4">
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        <input type="hidden" name="organization_id" value={organization.id} />
        {people.length > 0 ? null : (
          <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
            No one at {organization.name} {isInvited ? "has accepted" : "has an account"} yet.
            {mayInvite ? (
              <LinkButton variant="quiet" size="sm" to={organizationPath(organization.id)}>
                {isInvited ? "Resend" : "Invite"}
              </LinkButton>
            ) : null}
          </p>
        )}
        <RequesterFields
          organization={organization.name}
          people={people}
          contacts={contacts}
          hasMoreContacts={hasMoreContacts}
          error={{ values, errors }}
          summary="Open for a person without an account"
          withPhone
        />
        <Field name="title" label="Subject" error={errors?.title}>
          <Input maxLength={TITLE_LIMIT} autoComplete="off" defaultValue={values?.title} />
        </Field>
        <Field name="priority" label="Priority" error={errors?.priority}>
          <Select options={PRIORITY_OPTIONS} defaultValue={values?.priority ?? DEFAULT_PRIORITY} />
        </Field>
        <Field
          name="impact"
          label="What has stopped working, for how many people?"
          hint="Needed for urgent tickets."
          error={errors?.impact}
        >
          <Input maxLength={IMPACT_LIMIT} autoComplete="off" defaultValue={values?.impact} />
        </Field>
        <Field name="category" label="Category" error={errors?.category} optional>
          <Select options={CATEGORY_OPTIONS} defaultValue={values?.category ?? ""} />
        </Field>
        <Field name="description" label="Description" hint="The client reads it." error={errors?.description}>
          <Textarea rows={8} maxLength={MESSAGE_LIMIT} defaultValue={values?.description} />
        </Field>
        <SecretWarning />
        {values?.secret ? <input type="hidden" name="secret" value={values.secret} /> : null}
        <FilesField error={errors?.files} isBack={error !== null} />
        <SubmitButton className="justify-self-start" pendingLabel="Opening...">
          {values?.secret ? "Open anyway" : "Open ticket"}
        </SubmitButton>
      </Form>
    </Box>
  );
}
