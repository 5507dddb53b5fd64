import { IdentityQuestion, methodPath } from "~/features/account/ui/identity-fields";
import type { IdentityRequest } from "~/features/auth/model";
import { PRIVACY_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Panel } from "~/ui/panel";
import { TypedConfirmation } from "~/ui/typed-confirmation";
import { ERASURE_LEAVES } from "../copy";
import { ERASE_WORD, type Person, type PersonCounts, personPath } from "../model";
import { countText } from "./count-text";

type EraseFormProps = {
  person: Person;
  counts: PersonCounts;
  countedMax: number;
  token: string;
  identity: IdentityRequest | null;
};

/** Asks before a person is erased: says what goes and what stays, and takes a word and a proof of identity. */
export function ErasePanel({ person, counts, countedMax, token, identity }: EraseFormProps) {
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
        {counts.copies > 0 ? <li>Copies of {text(counts.copies, "ticket")}</li> : null}
      </ul>
      {person.userId ? (
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
