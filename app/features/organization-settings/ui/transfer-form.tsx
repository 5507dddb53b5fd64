import { CANDIDATES_CUT, CHOOSE_OWNER, TRANSFER_OWNERSHIP } from "~/features/members/copy";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Confirmation } from "~/ui/confirmation";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Select } from "~/ui/select";
import { TypedConfirmation } from "~/ui/typed-confirmation";
import { ORGANIZATION_PATH, TRANSFER_PATH } from "../model";

const FORM = "transfer";

type TransferFormProps = {
  candidates: readonly { id: string; name: string; email: string }[];
  isCut: boolean;
  organization: { id: string; name: string };
  token: string;
};

/** Asks to whom the organization is handed over, and for its name as the confirmation. */
export function TransferForm({ candidates, isCut, organization, token }: TransferFormProps) {
  const result = useFormResult<ValidationError>(formKey(TRANSFER_PATH, FORM));
  const errors: FieldErrors = result?.errors ?? {};
  const options = [
    { value: "", label: `${CHOOSE_OWNER}…` },
    ...candidates.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
  ];
  return (
    <Confirmation>
      <p>The new owner can do everything in {organization.name}. You become an admin, and can't undo this yourself.</p>
      {result ? <ErrorSummary title={result.title} errors={errors} /> : null}
      <Form action={TRANSFER_PATH} name={FORM} token={token}>
        <input type="hidden" name="organization_id" value={organization.id} />
        <Field
          name="membership_id"
          label="New owner"
          hint={isCut ? CANDIDATES_CUT : undefined}
          error={errors.membership_id}
        >
          <Select options={options} defaultValue={result?.values.membership_id ?? ""} />
        </Field>
        <TypedConfirmation
          name="confirm_name"
          label="Name of the organization"
          what={organization.name}
          typed={result?.values.confirm_name}
          error={errors.confirm_name}
        />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Transferring...">
            {TRANSFER_OWNERSHIP}
          </SubmitButton>
          <CancelLink to={ORGANIZATION_PATH} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
