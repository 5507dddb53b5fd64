import type { ChallengeMethod } from "~/features/auth/model";
import type { ValidationError } from "~/lib/form";
import { LinkButton } from "~/ui/button";
import { CodeInput } from "~/ui/code-input";
import { Docket, DocketBody, TearLine } from "~/ui/docket";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Icon } from "~/ui/icon";
import { Lock } from "~/ui/icons";
import { CancelSignIn } from "./cancel-sign-in";

type ChallengeCardProps = {
  action: string;
  token: string;
  method: ChallengeMethod;
  validationError: ValidationError | null;
  /** Holds the URL of the other method, where the person has one. */
  otherMethodTo?: string;
};

/** Holds the texts of each method. */
const METHODS = {
  totp: {
    subtitle: "Enter the 6-digit code from your authenticator app",
    label: "Verification code",
    other: "Use Backup Code",
    help: "Codes change every 30 seconds.",
  },
  backup: {
    subtitle: "Enter one of your backup codes",
    label: "Backup code",
    other: "Use Authenticator App",
    help: "Each code works once.",
  },
} as const satisfies Record<ChallengeMethod, unknown>;

/** Shows the second step. Its only field has the focus; switching the method is a link. */
export function ChallengeCard({ action, token, method, validationError, otherMethodTo }: ChallengeCardProps) {
  const texts = METHODS[method];
  const { form: formError, code: codeError } = validationError?.errors ?? {};
  return (
    <Docket alone id="challenge" title="Multi-Factor Authentication" subtitle={texts.subtitle} heading="h1">
      <DocketBody alone>
        {formError ? (
          <div role="alert">
            <Notice kind="error" title={validationError?.title} message={formError} />
          </div>
        ) : null}
        <Form action={action} token={token} reloadDocument>
          <input type="hidden" name="intent" value="verify-code" />
          <input type="hidden" name="method" value={method} />
          <Field
            name="code"
            label={texts.label}
            hint={codeError ? texts.help : undefined}
            error={codeError}
            describedBy="challenge-subtitle"
          >
            <CodeInput mode={method} submits />
          </Field>
          <SubmitButton wide pendingLabel="Verifying...">
            Verify Code
          </SubmitButton>
        </Form>
        <div className="-mx-3 flex flex-wrap justify-between [--btn-x:0.75rem]">
          {otherMethodTo ? (
            <LinkButton variant="ghost" to={otherMethodTo}>
              {texts.other}
            </LinkButton>
          ) : null}
          <CancelSignIn action={action} token={token} />
        </div>
      </DocketBody>
      <TearLine />
      <p className="flex items-start gap-[0.7rem] px-7 py-[1.35rem] text-ink-2 text-sm max-md:px-5">
        <Icon of={Lock} /> This additional step helps keep your account secure.
      </p>
    </Docket>
  );
}
