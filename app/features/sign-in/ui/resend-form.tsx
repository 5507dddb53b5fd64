import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { EmailInput } from "~/ui/input";

type ResendFormProps = {
  action: string;
  token: string;
  /** Holds the address, if the person has just typed it; the field is then hidden. */
  email?: string;
  error?: string;
};

/** Shows the form that sends the confirmation link again. */
export function ResendForm({ action, token, email, error }: ResendFormProps) {
  return (
    <Form action={action} token={token} reloadDocument>
      <input type="hidden" name="intent" value="resend" />
      {email && !error ? (
        <input type="hidden" name="email" value={email} />
      ) : (
        <Field name="email" label="Email" error={error}>
          <EmailInput autoComplete="email" defaultValue={email} />
        </Field>
      )}
      <SubmitButton variant="quiet">Send the link again</SubmitButton>
    </Form>
  );
}
