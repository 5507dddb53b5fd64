import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import { organizationPath } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import { type CappedCount, cappedText } from "~/lib/numbers";
import { fileSize, plural } from "~/lib/text";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import { ErrorSummary, Form, formKey, SubmitButton, TypedConfirmation, useFormResult } from "~/ui/form";
import { Confirmation } from "~/ui/page";
import type { readDeletion } from "./deletion.server";
import { DELETION_WARNING } from "./labels";
import { archivePath, deletionPath } from "./paths";

type DeletionFormProps = NonNullable<Awaited<ReturnType<typeof readDeletion>>> & { token: string };

const countOf = (counted: CappedCount, one: string): string =>
  `${cappedText(counted)} ${counted.count === 1 ? one : `${one}s`}`;

export function DeletionForm({ organization, identity, token }: DeletionFormProps) {
  const { id, name, version, members, tickets, messages, files, fileBytes, letters, domains, notes } = organization;
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
        <li>
          {plural(tickets, "ticket")} with {countOf(messages, "message")}
        </li>
        <li>
          {countOf(files, "file")}
          {fileBytes > 0 ? `, ${fileSize(fileBytes)}` : ""}
        </li>
        <li>{countOf(letters, "letter")}</li>
        <li>{plural(domains, "email domain")}</li>
        <li>{countOf(notes, "internal note")}</li>
      </ul>
      <p>
        This cannot be restored in the app, and its archives are deleted with it. So download one first: with internal
        notes, it has all of this and the history in one ZIP file.
      </p>
      <ButtonRow dense>
        <LinkButton variant="quiet" to={archivePath(id)}>
          Download all data (ZIP)
        </LinkButton>
      </ButtonRow>
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
