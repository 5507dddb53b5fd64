import { IdentityQuestion, methodPath } from "~/features/account/ui/identity-fields";
import type { IdentityRequest } from "~/features/auth/model";
import { organizationPath } from "~/features/organizations/subject";
import { type CappedCount, cappedText } from "~/lib/capped-count";
import type { ValidationError } from "~/lib/form";
import { plural } from "~/lib/text";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Confirmation } from "~/ui/confirmation";
import { ErrorSummary } from "~/ui/error-summary";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Link } from "~/ui/link";
import { TypedConfirmation } from "~/ui/typed-confirmation";
import { deletionPath, organizationFilePath } from "../../addresses";
import { DELETION_WARNING } from "../../copy";

type DeletionFormProps = {
  organization: {
    id: string;
    name: string;
    version: number;
    members: number;
    tickets: number;
    domains: number;
    notes: CappedCount;
  };
  identity: IdentityRequest | null;
  token: string;
};

/** Asks before an organization is deleted: says what goes with it, and takes its name and a proof of identity. */
export function DeletionForm({ organization, identity, token }: DeletionFormProps) {
  const { id, name, version, members, tickets, domains, notes } = organization;
  const page = deletionPath(id);
  const path = methodPath(page, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "delete"));
  const errors = failed?.errors ?? {};
  return (
    <Confirmation>
      {failed ? <ErrorSummary title={failed.title} errors={errors} /> : null}
      <p>{DELETION_WARNING}</p>
      <ul>
        <li>{plural(members, "member")}, who lose access at once</li>
        <li>{plural(tickets, "ticket")}</li>
        <li>{plural(domains, "email domain")}</li>
        <li>
          {cappedText(notes)} {notes.count === 1 ? "internal note" : "internal notes"}
        </li>
      </ul>
      <p>
        This cannot be restored in the app, so download it first: members, domains, notes and history in one file.{" "}
        <Link to={organizationFilePath(id)}>Download all data (CSV)</Link>
      </p>
      <Form action={path} token={token} name="delete">
        <input type="hidden" name="version" value={version} />
        <TypedConfirmation name="name" what={name} typed={failed?.values.name} error={errors.name} />
        <IdentityQuestion identity={identity} page={page} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Deleting...">
            Delete organization
          </SubmitButton>
          <CancelLink to={organizationPath(id)} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
