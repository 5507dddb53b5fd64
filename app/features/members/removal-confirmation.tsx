import { ButtonRow, CancelLink } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Confirmation } from "~/ui/page";

type RemovalConfirmationProps = {
  question: string;
  token: string;
  path: string;
  back: string;
  label: string;
  organizationId?: string;
};

export function RemovalConfirmation({ question, token, path, back, label, organizationId }: RemovalConfirmationProps) {
  return (
    <Confirmation>
      <p>{question}</p>
      <Form action={path} token={token}>
        {organizationId ? <input type="hidden" name="organization_id" value={organizationId} /> : null}
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Removing...">
            {label}
          </SubmitButton>
          <CancelLink to={back} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
