import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import { REASON_MAX } from "~/features/audit/labels";
import type { IdentityRequest } from "~/features/auth/model";
import { submissionPath } from "~/features/submissions/subject";
import { PRIVACY_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { plural } from "~/lib/text";
import { SEARCH_MAX } from "~/lists/define-list";
import { ButtonRow, CancelLink } from "~/ui/button";
import { Filters } from "~/ui/filters";
import { ErrorSummary, Field, Form, formKey, Input, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { SearchField } from "~/ui/list-fields";
import { Panel, Sheet, SheetRows } from "~/ui/page";
import { DataTable } from "~/ui/table";
import { Time } from "~/ui/text";
import { HELD_NOUNS } from "./labels";
import { CONSENTS_PATH, type Hold, liftPath, type Person, personPath } from "./model";
import type { readConsents, readPrivacy } from "./read-privacy.server";

export function PeopleFound({ text, people }: { text: string; people: readonly Person[] | null }) {
  return (
    <Sheet id="people" title="A person">
      <div className="grid gap-2 px-4 pb-3">
        <p className="max-w-none text-ink-2 text-sm">
          Find an account by name or address, or a person without one by the exact address of their submission.
        </p>
        <Filters label="People" action={PRIVACY_PATH} values={{ q: text }}>
          <SearchField label="Name or email address" value={text} max={SEARCH_MAX} />
        </Filters>
        {people && people.length === 0 ? <p role="status">No one found.</p> : null}
      </div>
      {people && people.length > 0 ? (
        <SheetRows>
          {people.map(({ id, name, email, userId }) => (
            <li key={id} className="wrap-anywhere">
              <Link to={personPath(id)}>{name}</Link>{" "}
              <span className="text-ink-2 text-sm">
                {email}
                {userId ? null : " · no account"}
              </span>
            </li>
          ))}
        </SheetRows>
      ) : null}
    </Sheet>
  );
}

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

type Rule = { days: number; never: boolean };

type RetentionPanelProps = Pick<Awaited<ReturnType<typeof readPrivacy>>, "retention" | "runs" | "zone"> & {
  settingsPath: string;
};

const ruleText = ({ days, never }: Rule) =>
  never
    ? "Submissions are never deleted by themselves."
    : `Resolved submissions, and those held for review, are deleted after ${plural(days, "day")} without activity. What became a client's stays with them.`;

export function RetentionPanel({ retention, runs, zone, settingsPath }: RetentionPanelProps) {
  const { next, preview } = retention;
  return (
    <Sheet id="retention" title="Retention" aside={<Link to={settingsPath}>Change in Settings</Link>}>
      <div className="grid gap-1 px-4 pb-2 text-sm">
        <p>{ruleText(retention)}</p>
        {next ? (
          <p>
            From <Time at={next.from} zone={zone} />: {ruleText(next)}
          </p>
        ) : null}
        {preview ? (
          <p>
            The next run would delete {preview.isMore ? "more than " : ""}
            {plural(preview.count, "submission")}
            {preview.onHold > 0 ? ` and leave ${preview.onHold} on legal hold` : ""}.
          </p>
        ) : null}
      </div>
      <SheetRows>
        {runs.map(({ startedAt, retentionDays, submissions, files, notes, onHold }) => (
          <li key={startedAt}>
            <Time at={startedAt} zone={zone} />: {plural(submissions, "submission")}, {plural(files, "file")},{" "}
            {plural(notes, "note")} deleted
            <span className="text-ink-2 text-sm">
              {" "}
              (after {plural(retentionDays, "day")}
              {onHold > 0 ? `, ${onHold} on legal hold` : ""})
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

export function ConsentList({ consents, older, zone }: Awaited<ReturnType<typeof readConsents>>) {
  return (
    <>
      <DataTable
        id="consents"
        caption="Consents, the newest first"
        columns={[
          { label: "Person", header: true, cell: ({ name, email }) => `${name}, ${email}` },
          { label: "Agreed to", labelled: true, cell: ({ version }) => `Terms of ${version}` },
          { label: "When", labelled: true, noWrap: true, cell: ({ at }) => <Time at={at} zone={zone} /> },
          {
            label: "Form",
            labelled: true,
            cell: ({ form, id, number }) => (
              <>
                {form}, <Link to={submissionPath(id)}>{number}</Link>
              </>
            ),
          },
        ]}
        rows={consents}
        rowKey={({ id }) => id}
        empty={<p>No consents yet.</p>}
      />
      {older === null ? null : (
        <p>
          <Link to={`${CONSENTS_PATH}?before=${older}`}>Older</Link>
        </p>
      )}
    </>
  );
}
