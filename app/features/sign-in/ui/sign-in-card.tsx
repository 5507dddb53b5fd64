import { PasswordInput } from "~/features/auth/ui/password-input";
import { type FormRefusal, ValidationNotice } from "~/features/auth/ui/validation-notice";
import type { FormValues } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { ClientTabs } from "./client-tabs";
import { ResendForm } from "./resend-form";

type SignInCardProps = {
  /** Whom the address greets: staff, or the people of a client. */
  door: "staff" | "client";
  /** Where the form posts to, with the query that says where to go afterwards. */
  action: string;
  token: string;
  /** What was typed, never the password. */
  values: FormValues;
  /** `canResend`: the password was right, and the address waits for its confirmation. */
  refusal: (FormRefusal & { canResend?: boolean }) | null;
  /** Why the person was sent here, such as 'Please log in to view settings'. */
  reason?: string;
  /** What was done before, such as queueing a reset mail. */
  done?: string;
  /** The company's own domain, for the line under the address. */
  hintDomain: string;
};

/** The credentials step. Nothing on it depends on whether an account exists. */
export function SignInCard({ door, action, token, values, refusal, reason, done, hintDomain }: SignInCardProps) {
  const errors = refusal?.errors ?? {};
  return (
    <Docket alone id="sign-in" title={door === "client" ? "Client portal" : "Sign in"} heading="h1">
      {door === "client" ? <ClientTabs current="sign-in" /> : null}
      <DocketBody alone>
        <ValidationNotice refusal={refusal} />
        {refusal?.canResend ? <ResendForm action={action} token={token} email={values.email ?? ""} /> : null}
        {done && !refusal ? <Notice kind="success" message={done} /> : null}
        {reason ? <Notice kind="info" message={reason} /> : null}
        <Notice kind="warning" message="Admin accounts require multi-factor authentication." />
        <Form action={action} token={token} reloadDocument>
          <input type="hidden" name="intent" value="sign-in" />
          <div>
            <Field name="email" label="Email" error={errors.email} describedBy="portal-hint">
              <Input
                type="email"
                autoComplete="username"
                autoCapitalize="off"
                spellCheck={false}
                defaultValue={values.email}
              />
            </Field>
            <p id="portal-hint" className="text-ink-2 text-sm" role="status" data-portal-hint={hintDomain} />
          </div>
          <Field name="password" label="Password" error={errors.password}>
            <PasswordInput autoComplete="current-password" />
          </Field>
          <SubmitButton wide>{door === "client" ? "Sign In" : "Sign in"}</SubmitButton>
        </Form>
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to="/login?mode=reset">Forgot your password?</Link>
          {door === "client" ? <Link to="/auth">Admin Login</Link> : <Link to="/client/auth">Client sign in</Link>}
        </p>
      </DocketBody>
    </Docket>
  );
}
