import type { FieldErrors } from "~/lib/form";
import { plural } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { Input } from "~/ui/input";

type DeleteConfirmationProps = {
  token: string;
  rows: readonly string[];
  names: readonly string[];
  path: string;
  asksIdentity: boolean;
  refusal: { title: string; errors: FieldErrors } | null;
};

/** Whom it concerns, and the form that does it. */
export function DeleteConfirmation({ token, rows, names, path, asksIdentity, refusal }: DeleteConfirmationProps) {
  const others = rows.length - names.length;
  return (
    <div className="sheet confirmation">
      {refusal ? <ErrorSummary title={refusal.title} errors={refusal.errors} /> : null}
      <ul>
        {names.map((name, place) => (
          <li key={rows[place]}>{name}</li>
        ))}
        {others > 0 ? <li>and {plural(others, "more", "more")}</li> : null}
      </ul>
      <p>Their notes, history and files go with them.</p>
      <Form action="/admin/submissions/delete" token={token}>
        <input type="hidden" name="return_to" value={path} />
        {rows.map((row) => (
          <input key={row} type="hidden" name="row" value={row} />
        ))}
        {asksIdentity ? <IdentityFields errors={refusal?.errors ?? {}} /> : null}
        <div className="acts-row">
          <SubmitButton variant="danger" name="intent" value="delete" pendingLabel="Deleting...">
            Delete {plural(rows.length, "submission")}
          </SubmitButton>
          <LinkButton variant="quiet" to={path}>
            Cancel
          </LinkButton>
        </div>
      </Form>
    </div>
  );
}

function IdentityFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <p>Please confirm that it's you.</p>
      <Field name="password" label="Password" error={errors.password}>
        <Input type="password" autoComplete="current-password" />
      </Field>
      <Field
        name="code"
        label="Verification code"
        hint="From your authenticator app, or a backup code."
        error={errors.code}
      >
        <Input autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} maxLength={9} />
      </Field>
    </>
  );
}
