import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import { REASON_MAX } from "~/features/audit/labels";
import { CANDIDATES_CUT, CHOOSE_OWNER, TRANSFER_OWNERSHIP } from "~/features/members/labels";
import { organizationPath } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Select, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Confirmation } from "~/ui/page";
import type { readOwnership } from "./ownership.server";
import { ownershipPath } from "./paths";

type OwnershipFormProps = NonNullable<Awaited<ReturnType<typeof readOwnership>>> & { token: string };

export function OwnershipForm({ ownerName, obstacle, ...rest }: OwnershipFormProps) {
  const { organization } = rest;
  const back = organizationPath(organization.id);
  if (obstacle) {
    return (
      <Confirmation>
        <p>{obstacle}</p>
        <ButtonRow dense>
          <LinkButton to={back}>Back to the organization</LinkButton>
        </ButtonRow>
      </Confirmation>
    );
  }
  return (
    <Confirmation>
      <p>
        {ownerName
          ? `The new owner can do everything in ${organization.name}. ${ownerName} becomes an admin. Both get a mail.`
          : `${organization.name} has no owner. The new one can do everything in it, and gets a mail.`}
      </p>
      <TransferFields {...rest} back={back} />
    </Confirmation>
  );
}

type TransferFieldsProps = Omit<OwnershipFormProps, "ownerName" | "obstacle"> & { back: string };

function TransferFields({ organization, candidates, isCut, identity, token, back }: TransferFieldsProps) {
  const page = ownershipPath(organization.id);
  const path = methodPath(page, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "transfer"));
  const { errors = {}, values = {} } = failed ?? {};
  const options = [
    { value: "", label: `${CHOOSE_OWNER}…` },
    ...candidates.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
  ];
  return (
    <>
      {failed ? <ErrorSummary title={failed.title} errors={errors} /> : null}
      <Form action={path} token={token} name="transfer">
        <Field
          name="membership_id"
          label="New owner"
          hint={isCut ? CANDIDATES_CUT : undefined}
          error={errors.membership_id}
        >
          <Select options={options} defaultValue={values.membership_id ?? ""} />
        </Field>
        <Field
          name="reason"
          label="Reason"
          hint="Kept in the history of the organization, which its owner can read."
          error={errors.reason}
        >
          <Textarea rows={2} maxLength={REASON_MAX} defaultValue={values.reason} />
        </Field>
        <IdentityQuestion identity={identity} page={page} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Transferring...">
            {TRANSFER_OWNERSHIP}
          </SubmitButton>
          <CancelLink to={back} />
        </ButtonRow>
      </Form>
    </>
  );
}
