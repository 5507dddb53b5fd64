import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Confirmation } from "~/ui/confirmation";
import { Form, SubmitButton } from "~/ui/form";

type RemovalConfirmationProps = {
  /** Says what is asked and what follows. */
  question: string;
  token: string;
  /** Holds the address of the page, and of the one that Cancel leads to. */
  path: string;
  back: string;
  label: string;
  /** Names, in the portal, the organization that the page is about. */
  organizationId?: string;
};

/** Asks before somebody is taken out of an organization. */
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
