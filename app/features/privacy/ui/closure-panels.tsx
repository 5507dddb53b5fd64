import { REASON_MAX } from "~/features/audit/copy";
import type { ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Textarea } from "~/ui/textarea";
import { Time } from "~/ui/time";
import { type Person, personPath } from "../model";

type ClosureRequest = { id: string; name: string; email: string; at: Instant };

/** Lists who asked for their account to be closed; nothing, if no one did. */
export function ClosureRequests({ requests, zone }: { requests: readonly ClosureRequest[]; zone: string }) {
  if (requests.length === 0) return null;
  return (
    <Sheet id="closures" title="Accounts to close">
      <SheetRows>
        {requests.map(({ id, name, email, at }) => (
          <li key={id} className="wrap-anywhere">
            <Link to={personPath(id)}>{name}</Link>{" "}
            <span className="text-ink-2 text-sm">
              {email}, asked for it <Time at={at} zone={zone} mode="date" />
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

type ClosurePanelProps = { person: Person; requestedAt: Instant; zone: string; token: string };

/** Says that somebody asked for their account to be closed, and takes why it stays open. */
export function ClosurePanel({ person, requestedAt, zone, token }: ClosurePanelProps) {
  const path = personPath(person.id);
  const failed = useFormResult<ValidationError>(formKey(path, "decline"));
  const { errors = {}, values = {} } = failed ?? {};
  return (
    <Panel id="closure" title={`${person.name} asks to close their account`}>
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <p className="mb-3">
        Asked for on <Time at={requestedAt} zone={zone} mode="date" />. To close it, erase them below: a mail says that
        it is done. Or say why it stays open.
      </p>
      <Form className="grid max-w-160 gap-4" action={path} token={token} name="decline">
        <input type="hidden" name="intent" value="decline" />
        <Field name="reason" label="Reason" hint={`${person.name} reads it.`} error={errors.reason}>
          <Textarea rows={2} maxLength={REASON_MAX} defaultValue={values.reason} />
        </Field>
        <ButtonRow dense>
          <SubmitButton variant="quiet" pendingLabel="Sending…">
            Keep the account open
          </SubmitButton>
        </ButtonRow>
      </Form>
    </Panel>
  );
}
