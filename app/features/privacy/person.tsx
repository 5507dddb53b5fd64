import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import { REASON_MAX } from "~/features/audit/labels";
import { userPath } from "~/features/users/model";
import { PRIVACY_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import { type Fact, FactList } from "~/ui/fact-list";
import {
  ErrorSummary,
  Field,
  Form,
  formKey,
  SubmitButton,
  Textarea,
  TypedConfirmation,
  useFormResult,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/page";
import { Time } from "~/ui/text";
import { countText, ERASURE_LEAVES } from "./labels";
import { ERASE_WORD, type Person, personFilePath, personPath } from "./model";
import type { readPersonPage } from "./read-privacy.server";

/** What the loader of the page hands on to its parts. */
type PersonRead = NonNullable<Awaited<ReturnType<typeof readPersonPage>>>;

export function PersonPanel({ person, counts, countedMax }: Pick<PersonRead, "person" | "counts" | "countedMax">) {
  const text = (count: number, one: string) => countText(count, { max: countedMax, one });
  const facts: Fact[] = [
    { term: "Email", detail: person.email },
    { term: "Account", detail: person.userId ? <Link to={userPath(person.userId)}>Open the account</Link> : "None" },
    { term: "Sent", detail: `${text(counts.submissions, "submission")} with ${text(counts.files, "file")}` },
    ...(counts.copies > 0 ? [{ term: "Copies by mail", detail: `Of ${text(counts.copies, "ticket")}` }] : []),
    ...(person.userId ? [{ term: "Belongs to", detail: text(counts.memberships, "organization") }] : []),
    ...(person.userId || counts.tickets + counts.messages > 0
      ? [{ term: "Has written", detail: `${text(counts.tickets, "ticket")} and ${text(counts.messages, "message")}` }]
      : []),
  ];
  return (
    <Panel id="person" title="What is stored">
      <FactList facts={facts} terms="medium" />
      <p className="mt-3 mb-2 text-ink-2 text-sm">
        One ZIP file: everything as JSON, and the files they have sent. Internal notes are left out.
      </p>
      <LinkButton variant="quiet" to={personFilePath(person.id)}>
        Export everything about this person
      </LinkButton>
    </Panel>
  );
}

export function ErasePanel({ person, counts, countedMax, token, identity }: PersonRead & { token: string }) {
  const page = personPath(person.id);
  const path = methodPath(page, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "erase"));
  const errors = failed?.errors ?? {};
  const text = (count: number, one: string, many?: string) => countText(count, { max: countedMax, one, many });
  return (
    <Panel id="erase" title={`Erase ${person.name}`}>
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <p>These go at once:</p>
      <ul className="my-2 list-disc pl-5">
        {person.userId ? (
          <li>The account with name, address, password, two-step sign-in and {text(counts.sessions, "session")}</li>
        ) : null}
        {person.userId ? <li>{text(counts.memberships, "membership")}</li> : null}
        <li>
          {text(counts.submissions, "submission")} with notes, replies and {text(counts.files, "file")}
        </li>
        <li>{text(counts.queuedMails, "mail that has not left", "mails that have not left")}</li>
        {counts.mails > 0 ? (
          <li>{text(counts.mails, "mail")} as they arrived, also those that colleagues forwarded</li>
        ) : null}
        {counts.copies > 0 ? <li>Copies of {text(counts.copies, "ticket")}</li> : null}
        <li>Every archive, and every file that waits to be imported: anyone may be in them</li>
      </ul>
      {person.userId || counts.tickets + counts.messages > 0 ? (
        <p>
          These stay without the name: {text(counts.tickets, "ticket")} and {text(counts.messages, "message")}.
        </p>
      ) : null}
      <p className="my-2">{ERASURE_LEAVES}</p>
      <Form className="grid max-w-160 gap-4" action={path} token={token} name="erase">
        <input type="hidden" name="intent" value="erase" />
        <TypedConfirmation what={ERASE_WORD} inCapitals typed={failed?.values.confirm} error={errors.confirm} />
        <IdentityQuestion identity={identity} page={page} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Erasing…">
            Erase this person
          </SubmitButton>
          <CancelLink to={PRIVACY_PATH} />
        </ButtonRow>
      </Form>
    </Panel>
  );
}

type ClosurePanelProps = { person: Person; requestedAt: Instant; zone: string; token: string };

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
