import type { FieldErrors, FormValues } from "~/lib/form";
import { Docket } from "~/ui/docket";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Input } from "~/ui/input";

type SignInCardProps = {
  /** Where the form posts to, with the query that says where to go afterwards. */
  action: string;
  token: string;
  /** What was typed, never the password. */
  values: FormValues;
  refusal: { title: string; errors: FieldErrors } | null;
  /** Why the person was sent here, such as 'Please log in to view settings'. */
  reason?: string;
};

/** The credentials step. Nothing on it depends on whether an account exists. */
export function SignInCard({ action, token, values, refusal, reason }: SignInCardProps) {
  const errors = refusal?.errors ?? {};
  return (
    <Docket id="sign-in" title="Sign in" heading="h1">
      <div className="in">
        {refusal ? <ErrorSummary title={refusal.title} errors={errors} /> : null}
        {reason ? <Notice kind="info" message={reason} /> : null}
        <Notice kind="warning" message="Admin accounts require multi-factor authentication." />
        <Form action={action} token={token} reloadDocument>
          <input type="hidden" name="intent" value="sign-in" />
          <Field name="email" label="Email" error={errors.email}>
            <Input
              type="email"
              autoComplete="username"
              autoCapitalize="off"
              spellCheck={false}
              defaultValue={values.email}
            />
          </Field>
          <Field name="password" label="Password" error={errors.password}>
            <Input type="password" autoComplete="current-password" />
          </Field>
          <SubmitButton wide>Sign in</SubmitButton>
        </Form>
      </div>
    </Docket>
  );
}
