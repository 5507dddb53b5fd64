import type { FieldErrors, FormValues } from "~/lib/form";
import { plural } from "~/lib/text";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Tick } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Box } from "~/ui/panel";
import { Textarea } from "~/ui/textarea";
import { ROLE_LABELS } from "../../copy";
import type { SettableRole } from "../../model";
import { INVITE_MEMBER, ROLE_HINTS } from "../copy";
import { INVITE_PATH, TEAM_PATH } from "../definition";
import type { InviteResult } from "../invite-actions.server";

export const INVITE_FORM = "invite";

type InviteFormProps = {
  token: string;
  organizationId: string;
  defaultRole: SettableRole;
  result: InviteResult | undefined;
};

/** Asks for the addresses of the people to invite, and for the role that all of them get. */
export function InviteForm({ token, organizationId, defaultRole, result }: InviteFormProps) {
  const errors: FieldErrors = result?.error.errors ?? {};
  const values: FormValues = result?.error.values ?? {};
  const role = values.role ?? defaultRole;
  return (
    <Box className="grid max-w-160 gap-5">
      {result && result.invitedCount > 0 ? (
        <div role="status">
          <Notice kind="success" message={`${plural(result.invitedCount, "person", "people")} invited.`} />
        </div>
      ) : null}
      {result ? <ErrorSummary key={values.emails} title={result.error.title} errors={errors} /> : null}
      {result && result.rejected.length > 0 ? (
        <ul className="grid gap-1 text-sm">
          {result.rejected.map(({ email, reason }) => (
            <li key={email} className="wrap-anywhere">
              <b>{email}</b>: {reason}
            </li>
          ))}
        </ul>
      ) : null}
      <Form action={INVITE_PATH} name={INVITE_FORM} token={token} className="grid gap-5">
        <input type="hidden" name="organization_id" value={organizationId} />
        <Field
          name="emails"
          label="Email"
          hint="One or several, separated by commas, blanks or lines."
          error={errors.emails}
        >
          <Textarea key={values.emails} rows={4} spellCheck={false} defaultValue={values.emails} />
        </Field>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">Role</legend>
          {(["member", "admin"] as const).map((each) => (
            <Tick key={each} type="radio" name="role" value={each} defaultChecked={each === role}>
              <span>
                <b>{ROLE_LABELS[each]}</b>
                <small className="block text-ink-2 text-sm">{ROLE_HINTS[each]}</small>
              </span>
            </Tick>
          ))}
        </fieldset>
        <ButtonRow dense>
          <SubmitButton pendingLabel="Inviting...">{INVITE_MEMBER}</SubmitButton>
          <CancelLink to={TEAM_PATH} />
        </ButtonRow>
      </Form>
    </Box>
  );
}
