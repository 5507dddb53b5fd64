import type { ReactNode } from "react";
import { staffTicketPath } from "~/features/tickets/paths";
import { Recipients } from "~/features/tickets/record/recipients";
import { TicketStatusPill } from "~/features/tickets/ui/badges";
import { OrganizationSearch } from "~/features/tickets/ui/move-form";
import { EMAIL_MAX } from "~/lib/email";
import type { ValidationError } from "~/lib/form";
import { ButtonRow } from "~/ui/button";
import { Checkbox, ErrorSummary, Field, Form, formKey, Input, Select, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { Panel } from "~/ui/page";
import { Time } from "~/ui/text";
import type { mailActions } from "./actions.server";
import { NO_SUBJECT } from "./labels";
import type { MailRecordRead } from "./mail-page.server";
import { originalMailPath } from "./paths";
import { WhyPanel } from "./why-panel";

type Intent = keyof typeof mailActions.actions;
type MailRecordProps = MailRecordRead & { path: string; tokens: Record<Intent, string | null> };

export function MailRecord({ mail, content, choices, reply, zone, path, tokens }: MailRecordProps) {
  return (
    <>
      <Panel id="mail" title={mail.subject || NO_SUBJECT}>
        {content === null ? <p className="text-ink-2">The mail cannot be shown.</p> : <Content {...content} />}
      </Panel>
      <WhyPanel mail={mail} zone={zone} original={originalMailPath(mail.id)} />
      {reply && tokens.send_anyway ? (
        <SendAnyway
          isChecked={Boolean(mail.checked)}
          reply={reply}
          zone={zone}
          path={path}
          token={tokens.send_anyway}
        />
      ) : null}
      {choices ? <Decisions mail={mail} choices={choices} path={path} tokens={tokens} /> : null}
      <OtherButtons mail={mail} path={path} tokens={tokens} />
    </>
  );
}

/** Shows what a mail says: what was written, and the whole of it where something was quoted. */
export function Content({ text, whole, files }: NonNullable<MailRecordProps["content"]>) {
  return (
    <>
      {text ? <UserText>{text}</UserText> : <p className="text-ink-2">It has no text.</p>}
      {whole ? (
        <details className="mt-3">
          <summary className="cursor-pointer py-1 text-sm max-md:py-3">Show the whole mail</summary>
          <UserText size="sm">{whole}</UserText>
        </details>
      ) : null}
      {files.length > 0 ? <p className="wrap-anywhere mt-3 text-ink-2 text-sm">Files: {files.join(", ")}</p> : null}
    </>
  );
}

type Choices = NonNullable<MailRecordProps["choices"]>;
type DecisionsProps = Pick<MailRecordProps, "mail" | "path" | "tokens"> & { choices: Choices };

function Decisions({ mail, choices, path, tokens }: DecisionsProps) {
  return (
    <>
      {tokens.to_ticket ? <ToTicket mail={mail} choices={choices} path={path} token={tokens.to_ticket} /> : null}
      {choices.isNoPerson ? null : (
        <>
          {tokens.to_person && choices.known.length === 0 && mail.class === "person" ? (
            <ToPerson mail={mail} choices={choices} path={path} token={tokens.to_person} />
          ) : null}
          {tokens.new_ticket ? <NewTicket mail={mail} choices={choices} path={path} token={tokens.new_ticket} /> : null}
          {tokens.new_organization && choices.known.length === 0 ? (
            <NewOrganization choices={choices} path={path} token={tokens.new_organization} />
          ) : null}
        </>
      )}
    </>
  );
}

/** Returns what was wrong with one of the forms: without scripts all of them are shown what one has sent. */
function useProblem(path: string, intent: string): ValidationError | null {
  const problem = useFormResult<ValidationError>(formKey(path, intent));
  return problem?.values.intent === intent ? problem : null;
}

type DecisionProps = Omit<DecisionsProps, "tokens"> & { token: string };

type DecisionFormProps = { intent: Intent; path: string; token: string; label: string; isFirst?: boolean } & {
  children: (problem: ValidationError | null) => ReactNode;
};

function DecisionForm({ intent, path, token, label, isFirst = false, children }: DecisionFormProps) {
  const problem = useProblem(path, intent);
  return (
    <Form action={path} token={token} name={intent} className="grid gap-3">
      {problem ? <ErrorSummary title={problem.title} errors={problem.errors} /> : null}
      {children(problem)}
      <SubmitButton variant={isFirst ? "primary" : "quiet"} name="intent" value={intent} wide pendingLabel="Saving...">
        {label}
      </SubmitButton>
    </Form>
  );
}

type HeldReply = NonNullable<MailRecordProps["reply"]>;
type SendAnywayProps = { reply: HeldReply; isChecked: boolean; zone: string; path: string; token: string };

function SendAnyway({ reply, isChecked, zone, path, token }: SendAnywayProps) {
  const { name, reference, title, organization, requester, status, version, refusal, later, recipients } = reply;
  const problem = useProblem(path, "send_anyway");
  return (
    <Panel id="send-anyway" title="Send it to the client">
      <div className="grid gap-3">
        <div className="wrap-anywhere text-sm">
          <Link to={staffTicketPath(reference)}>
            {reference} {title}
          </Link>
          <p className="text-ink-2">
            {organization}, requested by {requester}
          </p>
          <TicketStatusPill status={status} />
        </div>
        {later.length > 0 ? (
          <>
            <p className="text-sm">Written on {reference} since this mail arrived:</p>
            <ul className="grid gap-2 border-line border-l-4 pl-3">
              {later.map(({ id, author, text, at }) => (
                <li key={id} className="wrap-anywhere text-sm">
                  <b>{author}</b>{" "}
                  <span className="text-ink-2">
                    <Time at={at} zone={zone} mode="short" />
                  </span>
                  <UserText size="sm">{text}</UserText>
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {problem ? <ErrorSummary title={problem.title} errors={problem.errors} /> : null}
        {refusal ? (
          <p className="text-sm">{refusal}</p>
        ) : (
          <Form action={path} token={token} name="send_anyway" className="grid gap-3">
            <input type="hidden" name="version" value={version} />
            <Recipients
              key={problem?.values.not_to}
              recipients={recipients}
              organization={organization}
              leftOut={(problem?.values.not_to ?? "").split(" ").filter(Boolean)}
              error={problem?.errors.to}
            />
            <p className="text-sm">
              Read what the mail says: it becomes a public reply of {name} on{" "}
              <span className="whitespace-nowrap">{reference}</span>, now.
              {isChecked ? null : " Nothing proves that they wrote it, so ask them if you doubt it."}
            </p>
            <SubmitButton variant="quiet" name="intent" value="send_anyway" wide pendingLabel="Sending...">
              Send it anyway
            </SubmitButton>
          </Form>
        )}
      </div>
    </Panel>
  );
}

function ToTicket({ mail, choices, path, token }: DecisionProps) {
  const label = mail.isOfStaff ? "Make it a note" : "To a ticket";
  return (
    <Panel id="to-ticket" title="Put it on a ticket">
      <DecisionForm intent="to_ticket" path={path} token={token} label={label} isFirst>
        {(problem) => (
          <>
            <p className="text-sm">
              {mail.isOfStaff || choices.isNoPerson
                ? "It becomes an internal note there. No client sees it, and no clock starts or stops."
                : "It becomes a message of its sender, who is put on the ticket if they are not, and gets its mail. If they are new, they become a contact of its organization. The clock begins when the mail arrived."}
            </p>
            <Field name="ticket" label="Ticket" hint="Like T-1042" error={problem?.errors.ticket}>
              <Input
                autoComplete="off"
                spellCheck={false}
                defaultValue={problem?.values.ticket ?? mail.ticket?.reference ?? mail.namedTicket ?? undefined}
                maxLength={20}
              />
            </Field>
          </>
        )}
      </DecisionForm>
    </Panel>
  );
}

/** Which ticket it is put on depends on what they can see: see `placeMail`. */
function ToPerson({ mail, choices, path, token }: DecisionProps) {
  return (
    <Panel id="to-person" title="It is from a person we know">
      <DecisionForm intent="to_person" path={path} token={token} label="It is theirs">
        {(problem) => (
          <>
            <p className="wrap-anywhere text-sm">
              It becomes their message, and further mail from {mail.address} is theirs, too. They are told at the
              address we know, where all answers go. Nothing is sent to {mail.address}.
            </p>
            <Field
              name="person"
              label="The address we know"
              hint={
                mail.checked
                  ? `The mail is signed by ${mail.checked}.`
                  : "Nothing proves who wrote it, so ask them if you doubt it."
              }
              error={problem?.errors.person}
            >
              <Input
                type="email"
                list="people"
                autoComplete="off"
                defaultValue={problem?.values.person}
                maxLength={EMAIL_MAX}
              />
            </Field>
            <datalist id="people">
              {choices.people.map(({ email, name }) => (
                <option key={email} value={email}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </DecisionForm>
    </Panel>
  );
}

function NewTicket({ choices: { known, others, isMore, search }, path, token }: DecisionProps) {
  const isKnown = known.length > 0;
  return (
    <Panel id="new-ticket" title="Make it a new ticket">
      <div className="grid gap-3">
        {isMore || search ? (
          <OrganizationSearch search={search} isEmpty={search !== "" && others.length === 0} />
        ) : null}
        <DecisionForm
          intent="new_ticket"
          path={path}
          token={token}
          label={isKnown ? "New ticket" : "This organization"}
        >
          {(problem) => (
            <Field
              name="organization_id"
              label="Organization"
              hint={
                isKnown
                  ? "It knows the sender already."
                  : "The sender becomes a contact there, and their mail opens tickets from then on."
              }
              error={problem?.errors.organization_id}
            >
              <Select
                key={search}
                options={[
                  ...(known.length === 1 ? [] : [{ value: "", label: "Choose" }]),
                  ...[...known, ...others].map(({ id, name }) => ({ value: id, label: name })),
                ]}
                defaultValue={problem?.values.organization_id}
              />
            </Field>
          )}
        </DecisionForm>
      </div>
    </Panel>
  );
}

function NewOrganization({ choices: { domain }, path, token }: Omit<DecisionProps, "mail">) {
  return (
    <Panel id="new-organization" title="Make a new organization">
      <DecisionForm intent="new_organization" path={path} token={token} label="New organization">
        {(problem) => (
          <>
            <Field
              name="name"
              label="Name"
              hint="The sender becomes a contact there, and the mail its first ticket."
              error={problem?.errors.name}
            >
              <Input autoComplete="off" defaultValue={problem?.values.name} maxLength={120} />
            </Field>
            {domain ? (
              <Checkbox
                name="domains"
                value={domain}
                label={`From now on, take mail from ${domain}`}
                defaultChecked={Boolean(problem?.values.domains)}
                error={problem?.errors.domains}
              />
            ) : null}
          </>
        )}
      </DecisionForm>
    </Panel>
  );
}

function OtherButtons({ mail, path, tokens }: Pick<MailRecordProps, "mail" | "path" | "tokens">) {
  const isHeld = mail.state === "held" || mail.state === "failed";
  const buttons = [
    ...(isHeld && mail.isOfStaff ? [["discard", "Discard", "Saving..."] as const] : []),
    ...(isHeld ? [["retry", "Retry", "Trying..."] as const] : []),
    ...(mail.isBlocked
      ? [["unblock", "Unblock sender", "Saving..."] as const]
      : mail.mayBlock
        ? [["block", "Block sender", "Saving..."] as const]
        : []),
  ];
  if (buttons.length === 0) return null;
  return (
    <ButtonRow dense>
      {buttons.map(([intent, label, pendingLabel]) => {
        const token = tokens[intent];
        return token ? (
          <Form key={intent} action={path} token={token} name={intent}>
            <SubmitButton variant="quiet" size="sm" name="intent" value={intent} pendingLabel={pendingLabel}>
              {label}
            </SubmitButton>
          </Form>
        ) : null;
      })}
    </ButtonRow>
  );
}
