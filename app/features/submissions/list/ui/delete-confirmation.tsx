import { IdentityFields } from "~/features/account/ui/identity-fields";
import { plural } from "~/lib/text";
import { Button, LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Confirmation } from "~/ui/confirmation";
import { ErrorSummary } from "~/ui/error-summary";
import { Form, SubmitButton } from "~/ui/form";
import type { DeletionConfirmation } from "../../model";
import { DELETION_PATH } from "../../subject";

/** Shows whose submissions are to be deleted, and the form that deletes them. */
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
        {identity ? (
          <>
            <p>Please confirm that it's you.</p>
            <IdentityFields {...identity} errors={validationError?.errors ?? {}} />
          </>
        ) : null}
        <ButtonRow dense>
          <SubmitButton variant="danger" name="intent" value="delete" pendingLabel="Deleting...">
            Delete {plural(rows.length, "submission")}
          </SubmitButton>
          <LinkButton variant="quiet" to={path}>
            Cancel
          </LinkButton>
          {/* After the others: Enter in a field presses the first button of a form. */}
          {identity?.mfaEnabled ? (
            <Button type="submit" variant="ghost" name="intent" value="other_method">
              {identity.method === "backup" ? "Use Authenticator App" : "Use Backup Code"}
            </Button>
          ) : null}
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
