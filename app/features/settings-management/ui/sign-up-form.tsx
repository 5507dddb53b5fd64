import { IdentityQuestion, methodPath } from "~/features/account/ui/identity-fields";
import type { IdentityRequest } from "~/features/auth/model";
import type { ValidationError } from "~/lib/form";
import { Checkbox, Tick } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { ONLY_EXISTING_ACCOUNTS, POLICY_TEXTS, SIGN_UP_POLICY } from "../copy";
import { GENERAL_PATH, SIGN_UP_POLICIES, type StoredSignUpSettings } from "../model";

const FORM = "sign-up";

type SignUpFormProps = {
  settings: StoredSignUpSettings;
  zone: string;
  token: string | null;
  identity: IdentityRequest | null;
};

/** Shows how people get in: who may sign up, and who can be invited. */
export function SignUpForm({ settings, zone, token, identity }: SignUpFormProps) {
  const path = methodPath(GENERAL_PATH, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, FORM));
  const errors = failed?.errors ?? {};
  const values = {
    sign_up_policy: settings.signUpPolicy,
    only_existing_accounts: settings.onlyInviteExistingAccounts ? "on" : "",
    version: String(settings.version),
    ...failed?.values,
  };
  return (
    <Panel id="sign-up" title="Sign-up and invitations">
      {token ? (
        <Form className="grid max-w-160 gap-5" action={path} token={token} name={FORM} key={values.version}>
          {failed ? <ErrorSummary title={failed.title} errors={errors} /> : null}
          <input type="hidden" name="intent" value="sign-up" />
          <input type="hidden" name="version" value={values.version} />
          <fieldset className="grid gap-3">
            <legend className="mb-2 font-semibold">{SIGN_UP_POLICY}</legend>
            {SIGN_UP_POLICIES.map((policy) => (
              <Tick
                key={policy}
                type="radio"
                name="sign_up_policy"
                value={policy}
                defaultChecked={policy === values.sign_up_policy}
              >
                <span>
                  {POLICY_TEXTS[policy].label}
                  <small className="block text-ink-2 text-sm">{POLICY_TEXTS[policy].text}</small>
                </span>
              </Tick>
            ))}
          </fieldset>
          <Checkbox
            name="only_existing_accounts"
            label={ONLY_EXISTING_ACCOUNTS}
            hint="Whoever invites an address without an account reads that there is none."
            defaultChecked={values.only_existing_accounts === "on"}
          />
          <IdentityQuestion identity={identity} page={GENERAL_PATH} errors={errors} />
          <div>
            <SubmitButton pendingLabel="Saving…">Save</SubmitButton>
          </div>
        </Form>
      ) : null}
      <LastChange change={settings.lastChange} zone={zone} />
    </Panel>
  );
}

function LastChange({ change, zone }: { change: StoredSignUpSettings["lastChange"]; zone: string }) {
  if (!change) return null;
  return (
    <p className="mt-4 text-ink-2 text-sm">
      Last changed by {change.by ?? "somebody who has left"}, <Time at={change.at} zone={zone} mode="short" />.
    </p>
  );
}
