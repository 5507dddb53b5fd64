import { IdentityQuestion, methodPath } from "~/features/account/ui/identity-fields";
import { REASON_MAX } from "~/features/audit/copy";
import type { IdentityRequest } from "~/features/auth/model";
import { PRIVACY_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Textarea } from "~/ui/textarea";
import { Time } from "~/ui/time";
import { HELD_NOUNS } from "../copy";
import { type Hold, liftPath } from "../model";

/** Lists what must not be deleted, and why. */
export function HoldPanel({ holds, zone }: { holds: readonly Hold[]; zone: string }) {
  return (
    <Sheet id="holds" title="Legal holds">
      <p className="max-w-none px-4 pb-2 text-ink-2 text-sm">
        Nothing on hold is deleted: not by the nightly run, a purge, or erasing a person.
      </p>
      {holds.length === 0 ? (
        <p className="max-w-none border-line border-t px-4 py-2 text-ink-2">Nothing is on hold.</p>
      ) : null}
      <SheetRows>
        {holds.map(({ id, type, label, to, reason, placedBy, placedAt }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <p className="wrap-anywhere min-w-0">
              {HELD_NOUNS[type]} <Link to={to}>{label}</Link>: {reason}{" "}
              <span className="text-ink-3 text-sm">
                {placedBy}, <Time at={placedAt} zone={zone} mode="date" />
              </span>
            </p>
            <Link to={liftPath(id)}>
              Lift<span className="sr-only"> the hold on {label}</span>
            </Link>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

type HoldFormProps = { token: string; identity: IdentityRequest | null };

/** Asks what to put on hold, and why. */
export function HoldForm({ token, identity }: HoldFormProps) {
  const path = methodPath(PRIVACY_PATH, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "hold"));
  const { errors = {}, values = {} } = failed ?? {};
  return (
    <Panel id="hold-form" title="Place a hold">
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <Form className="grid max-w-160 gap-4" action={path} token={token} name="hold">
        <input type="hidden" name="intent" value="hold" />
        <Field
          name="subject"
          label="What is held"
          hint="L-1001 for a submission, T-1001 for a ticket, an email address for a person, the short name for an organization."
          error={errors.subject}
        >
          <Input autoComplete="off" spellCheck={false} maxLength={254} defaultValue={values.subject} />
        </Field>
        <ReasonField error={errors.reason} value={values.reason} />
        <IdentityQuestion identity={identity} page={PRIVACY_PATH} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant="quiet" pendingLabel="Saving…">
            Place hold
          </SubmitButton>
        </ButtonRow>
      </Form>
    </Panel>
  );
}

/** Asks before a hold is lifted. */
export function LiftPanel({ hold, token, identity }: HoldFormProps & { hold: Hold }) {
  const page = liftPath(hold.id);
  const path = methodPath(page, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "lift"));
  const { errors = {}, values = {} } = failed ?? {};
  return (
    <Panel id="lift-form" title={`Lift the hold on ${hold.label}?`}>
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <p className="mb-3">From the next night on it is deleted when it is old enough.</p>
      <Form className="grid max-w-160 gap-4" action={path} token={token} name="lift">
        <input type="hidden" name="intent" value="lift" />
        <input type="hidden" name="hold_id" value={hold.id} />
        <ReasonField error={errors.reason} value={values.reason} />
        <IdentityQuestion identity={identity} page={page} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Lifting…">
            Lift hold
          </SubmitButton>
          <CancelLink to={PRIVACY_PATH} />
        </ButtonRow>
      </Form>
    </Panel>
  );
}

function ReasonField({ error, value }: { error?: string; value?: string }) {
  return (
    <Field name="reason" label="Reason" hint="Kept with the hold and in the activity." error={error}>
      <Textarea rows={2} maxLength={REASON_MAX} defaultValue={value} />
    </Field>
  );
}
