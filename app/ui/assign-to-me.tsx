import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Form, formKey, SubmitButton, useFormResult } from "./form";

type AssignToMeProps = {
  path: string;
  token: string;
  isOwn: boolean;
  /** The fields of the form "handling" of the page that say who it is, and who it was. */
  values: Readonly<Record<string, string>>;
};

const NAME = "assign to me";

export function AssignToMe({ path, token, isOwn, values }: AssignToMeProps) {
  const error = useFormResult<ValidationError>(formKey(path, NAME));
  if (isOwn) return <p className="text-sm text-success">✓ Yours</p>;
  return (
    <Form action={path} token={token} name={NAME} className="print:hidden">
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <input type="hidden" name="takes" value="on" />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton variant="quiet" size="sm" intent="handling" pendingLabel="Assigning..." aria-keyshortcuts="a">
        Assign to me
      </SubmitButton>
    </Form>
  );
}
