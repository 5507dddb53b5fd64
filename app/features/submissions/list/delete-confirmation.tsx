import { IdentityQuestion, OtherMethodButton } from "~/features/account/identity-fields";
import { plural } from "~/lib/text";
import { ButtonRow, CancelLink } from "~/ui/button";
import { ErrorSummary, Form, SubmitButton } from "~/ui/form";
import { Confirmation } from "~/ui/page";
import type { DeletionConfirmation } from "../model";
import { DELETION_PATH } from "../subject";

export function DeleteConfirmation({ token, rows, names, path, identity, validationError }: DeletionConfirmation) {
  const others = rows.length - names.length;
  return (
    <Confirmation>
      {validationError ? (
        <ErrorSummary className="mb-7" title={validationError.title} errors={validationError.errors} />
      ) : null}
      <ul>
        {names.map((name, index) => (
          <li key={rows[index]}>{name}</li>
        ))}
        {others > 0 ? <li>and {plural(others, "more", "more")}</li> : null}
      </ul>
      <p>Notes, history and files are deleted too.</p>
      <Form action={DELETION_PATH} token={token} name="delete">
        <input type="hidden" name="return_to" value={path} />
        {rows.map((row) => (
          <input key={row} type="hidden" name="row" value={row} />
        ))}
        <IdentityQuestion identity={identity} errors={validationError?.errors ?? {}} />
        <ButtonRow dense>
          <SubmitButton variant="danger" intent="delete" pendingLabel="Deleting...">
            Delete {plural(rows.length, "submission")}
          </SubmitButton>
          <CancelLink to={path} />
          <OtherMethodButton identity={identity} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
