import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import { ButtonRow, CancelLink } from "~/ui/button";
import { EmailInput, ErrorSummary, Field, Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Box } from "~/ui/page";
import { OrganizationFields, typedValues } from "./organization-fields";
import { NEW_ORGANIZATION_PATH } from "./paths";

export function NewOrganization({ token }: { token: string }) {
  const failed = useFormResult<ValidationError>(formKey(NEW_ORGANIZATION_PATH, "create"));
  return (
    <>
      {failed ? <ErrorSummary title={failed.title} errors={failed.errors} /> : null}
      <Box className="max-w-160">
        <Form
          action={NEW_ORGANIZATION_PATH}
          token={token}
          name="create"
          className="grid grid-cols-[minmax(0,1fr)] gap-4"
        >
          <OrganizationFields values={typedValues(failed?.values ?? {})} errors={failed?.errors ?? {}} />
          <Field
            name="owner_email"
            label="Owner email"
            optional
            hint="They get an invitation and own the organization once they accept it."
            error={failed?.errors.owner_email}
          >
            <EmailInput autoComplete="off" defaultValue={failed?.values.owner_email} />
          </Field>
          <ButtonRow dense>
            <SubmitButton pendingLabel="Creating...">Create Organization</SubmitButton>
            <CancelLink to={ORGANIZATIONS_PATH} />
          </ButtonRow>
        </Form>
      </Box>
    </>
  );
}
