import type { PlatformRole } from "~/access/model";
import { IdentityQuestion, methodPath } from "~/features/account/ui/identity-fields";
import { REASON_MAX } from "~/features/audit/labels";
import type { IdentityRequest } from "~/features/auth/model";
import { userPath } from "~/features/users/subject";
import { withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Panel } from "~/ui/panel";
import { Select } from "~/ui/select";
import { Textarea } from "~/ui/textarea";
import { ROLE_LABELS, ROLE_OPTIONS } from "../../copy";
import { RoleDescriptions } from "../../ui/role-descriptions";
import { ACTION_TEXTS, CHANGED_MEANWHILE } from "../copy";
import type { PersonAccount, PersonAction, PersonSession } from "../model";

type AccessFormProps = {
  account: PersonAccount;
  action: PersonAction;
  token: string;
  identity: IdentityRequest | null;
  /** Names the role that was chosen in the list, and the page to return to. */
  role: string | null;
  from: string | null;
  /** Tells whether the account is in a state for the form: otherwise only why it was rejected is shown. */
  isOffered: boolean;
  /** Names the session to end, as the address names it; null besides: it has ended since. */
  sessionId: string | null;
  session: PersonSession | null;
};

/** Asks before somebody's access is changed: what follows, why, and, if the last proof is old, who asks. */
export function AccessForm({ account, action, token, identity, role, from, ...rest }: AccessFormProps) {
  const { isOffered, sessionId, session } = rest;
  const { title, text, button, pending, variant } = ACTION_TEXTS[action];
  const page = withParams(userPath(account.id), {
    do: action,
    ...(role ? { role } : {}),
    ...(sessionId ? { session: sessionId } : {}),
    ...(from ? { from } : {}),
  });
  const path = methodPath(page, identity?.method);
  const rejected = useFormResult<ValidationError>(formKey(path, action)) ?? null;
  const { errors = {}, values = {} } = rejected ?? {};
  if (!isOffered) {
    return rejected ? (
      <ErrorSummary title={rejected.title} errors={{ form: errors.form ?? CHANGED_MEANWHILE }} />
    ) : null;
  }
  return (
    <Panel id="access-form" title={title(account.name)}>
      {rejected ? <ErrorSummary className="mb-3" title={rejected.title} errors={errors} /> : null}
      <p className="mb-3">
        {action === "end_session" && session ? `${session.device}, network ${session.network}. ` : null}
        {text}
      </p>
      <Form className="grid max-w-160 gap-4" action={path} token={token} name={action}>
        <input type="hidden" name="intent" value={action} />
        {sessionId ? <input type="hidden" name="session" value={sessionId} /> : null}
        {from ? <input type="hidden" name="from" value={from} /> : null}
        {action === "role" ? (
          <RoleFields current={account.role} chosen={values.role || role} />
        ) : (
          <Field
            name="reason"
            label="Reason"
            hint="Kept in the activity, which staff can read. The person does not see it."
            error={errors.reason}
          >
            <Textarea rows={2} maxLength={REASON_MAX} defaultValue={values.reason} />
          </Field>
        )}
        <IdentityQuestion identity={identity} page={page} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant={variant} pendingLabel={pending}>
            {button}
          </SubmitButton>
          <CancelLink to={from ?? userPath(account.id)} />
        </ButtonRow>
      </Form>
    </Panel>
  );
}

type RoleFieldsProps = { current: PlatformRole; chosen: string | null };

function RoleFields({ current, chosen }: RoleFieldsProps) {
  const value = ROLE_OPTIONS.some((option) => option.value === chosen) ? (chosen ?? current) : current;
  return (
    <>
      <Field name="role" label="Role" hint={`Now ${ROLE_LABELS[current]}.`}>
        <Select options={ROLE_OPTIONS} defaultValue={value} />
      </Field>
      <RoleDescriptions />
    </>
  );
}
