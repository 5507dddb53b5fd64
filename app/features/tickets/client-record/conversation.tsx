import { clientAttachmentPath } from "~/features/attachments/model";
import { MessageFields, NewerMessages, SecretWarning, SeenMessages } from "~/features/conversation/composer";
import { Entry, Thread } from "~/features/conversation/thread";
import { SentReply, UndoForm } from "~/features/conversation/undo";
import { buttonStyle } from "~/ui/button";
import { cx } from "~/ui/cx";
import { ErrorSummary, Field, Form, formKey, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { CheckCheck, Clock, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Breadcrumb } from "~/ui/page";
import { BAND, STILL_WRONG } from "../model";
import { CLIENT_TICKETS_PATH, clientTicketPath } from "../paths";
import { PriorityBadge, TicketStatusPill } from "../ui/badges";
import type { ClientTicketPage, ClientTicketResult } from "./read-client-ticket.server";
import { ChangeForm } from "./sidebar";

export const TicketCrumb = ({ number }: Pick<ClientTicketPage, "number">) => (
  <div className="[&_[aria-current]]:font-mono [&_[aria-current]]:text-[0.9em]">
    <Breadcrumb items={[{ label: "Tickets", to: CLIENT_TICKETS_PATH }, { label: number }]} />
  </div>
);

type TicketHeadProps = Pick<
  ClientTicketPage,
  "status" | "holder" | "priority" | "category" | "isPrivate" | "oldNumber" | "followUpOf" | "followUps"
>;

export function ClientTicketHead(props: TicketHeadProps) {
  const { status, holder, priority, category, isPrivate, oldNumber, followUpOf, followUps } = props;
  return (
    <div className="grid gap-2">
      <p className="flex max-w-none flex-wrap items-center gap-x-4 gap-y-1 text-ink-2 text-sm">
        <TicketStatusPill status={status} isForClient />
        <PriorityBadge priority={priority} />
        {category ? <span>{category}</span> : null}
        {holder ? <span>{holder}</span> : null}
        {isPrivate ? <span>Private</span> : null}
        {oldNumber ? <span>Old number: {oldNumber}</span> : null}
      </p>
      {followUpOf ? (
        <p className="text-sm">
          Goes on from <Link to={clientTicketPath(followUpOf)}>{followUpOf}</Link>.
        </p>
      ) : null}
      {followUps.map(({ number, title }) => (
        <p key={number} className="wrap-anywhere text-sm">
          Goes on in <Link to={clientTicketPath(number)}>{number}</Link>: {title}
        </p>
      ))}
    </div>
  );
}

export function TicketTarget({ text, reasons }: ClientTicketPage["slas"][number]) {
  return (
    <section
      className="grid gap-2 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-4 py-3"
      aria-label={text}
    >
      <p className="flex max-w-none items-start gap-2 font-semibold">
        <Icon of={Clock} className="mt-[0.2em]" />
        {text}
      </p>
      <details>
        <summary className="cursor-pointer py-1 text-link text-sm underline max-md:py-3 print:hidden">
          Why this time?
        </summary>
        <dl className="mt-2 grid gap-2 text-sm">
          {reasons.map(({ term, text: detail }) => (
            <div key={`${term} ${detail}`} className="grid gap-x-4 md:grid-cols-[11rem_minmax(0,1fr)]">
              <dt className="font-semibold">{term}</dt>
              <dd className="text-ink-2">{detail}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

type ConversationProps = Pick<ClientTicketPage, "thread" | "sent" | "earlier" | "latest" | "number" | "zone">;

/** Shows what was written and done. Internal notes are not among it: they were never read. */
export function ClientTicketThread({ thread, sent, earlier, latest, number, zone }: ConversationProps) {
  return (
    <Thread
      entries={thread}
      earlier={earlier ? { to: `${clientTicketPath(number)}?before=${earlier}`, label: "Earlier messages" } : null}
      latest={latest}
      later={null}
    >
      {(entry) => (
        <Entry entry={entry} isFresh={entry.id === sent} zone={zone} pathOf={clientAttachmentPath} isForClient />
      )}
    </Thread>
  );
}

type SolveBandProps = Pick<ClientTicketPage, "number" | "organizationId" | "question"> & {
  tokens: { reply: string; change: string };
};

/**
 * Asks whether the ticket is solved, as the mail does. "No" opens the field in which to say what is still wrong: it is
 * what the address names then, so that it works without scripts too.
 */
export function SolveBand({ number, organizationId, question, tokens }: SolveBandProps) {
  const action = `${clientTicketPath(number)}#${STILL_WRONG}`;
  const result = useFormResult<ClientTicketResult>(formKey(action, "broken"));
  const problem = result?.intent === "broken" ? result : undefined;
  if (!question) return null;
  const { title, text, isOpen, reopens, asked } = question;
  return (
    <section
      className="group/band grid scroll-mt-4 gap-x-6 gap-y-3 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-[1.15rem] py-4 md:grid-cols-[minmax(0,1fr)_auto] print:hidden"
      id={BAND}
      tabIndex={-1}
      aria-labelledby={`${BAND}-title`}
    >
      <div>
        <h2 id={`${BAND}-title`}>{title}</h2>
        <p className="text-ink-2">{text}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3 max-md:[&_:is(a,button)]:flex-auto">
        {isOpen ? (
          <ChangeForm
            number={number}
            organizationId={organizationId}
            token={tokens.change}
            intent="move"
            name="solved"
            className="max-md:flex max-md:flex-auto"
          >
            <SubmitButton name="move" value="solved" pendingLabel="Saving…">
              <span className="inline-flex items-center gap-2">
                <Icon of={CheckCheck} /> Yes, solved
              </span>
            </SubmitButton>
          </ChangeForm>
        ) : null}
        <a
          className={buttonStyle({
            variant: "quiet",
            className: "group-has-[#still-wrong:target]/band:bg-sunken",
          })}
          href={`#${STILL_WRONG}`}
        >
          No, still broken
        </a>
      </div>
      <Form
        className={cx(
          "col-span-full gap-3 border-line border-t pt-3",
          problem ? "grid" : "hidden has-[#still-wrong:target]:grid",
        )}
        action={action}
        name="broken"
        token={tokens.reply}
        intent="broken"
      >
        <input type="hidden" name="organization_id" value={organizationId} />
        {problem?.values.secret ? <input type="hidden" name="secret" value={problem.values.secret} /> : null}
        {problem ? <ErrorSummary title={problem.title} errors={problem.errors} ids={{ body: STILL_WRONG }} /> : null}
        {problem?.conflict ? <NewerMessages conflict={problem.conflict} /> : null}
        <SeenMessages key={problem?.values.begun_at_message} shown={asked} pinned={problem?.values.begun_at_message} />
        <Field name="body" id={STILL_WRONG} label="What is still wrong?" error={problem?.errors.body}>
          <Textarea rows={3} defaultValue={problem?.values.body} />
        </Field>
        <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <SubmitButton pendingLabel="Sending…">
            {problem?.values.secret || problem?.conflict ? "Send anyway" : reopens ? "Send and reopen" : "Send"}
          </SubmitButton>
          {problem ? null : (
            <a className="py-2" href={`#${BAND}`}>
              Cancel
            </a>
          )}
        </p>
      </Form>
    </section>
  );
}

type ReplyFormProps = Pick<
  ClientTicketPage,
  "number" | "organizationId" | "readers" | "room" | "isOver" | "draft" | "publicMessages" | "sent" | "undoable"
> & {
  tokens: { reply: string; change: string };
};

export function ClientReplyForm({ number, organizationId, readers, room, isOver, draft, ...props }: ReplyFormProps) {
  const { sent, undoable, tokens } = props;
  const action = clientTicketPath(number);
  const result = useFormResult<ClientTicketResult>(formKey(action, "reply"));
  const problem = result?.intent === "reply" ? result : null;
  const { values, conflict } = problem ?? {};
  return (
    <section
      className="grid gap-4 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-4 py-4 print:hidden"
      aria-label="Reply"
    >
      <Form className="grid gap-4" action={action} name="reply" token={tokens.reply} encType="multipart/form-data">
        <MessageFields
          error={problem}
          draft={draft}
          label="Your reply"
          hint={
            isOver ? "This ticket is closed for good. Your message opens a new one that goes on from it." : undefined
          }
          rows={4}
          drafts={{ save: "draft", autosave: "autosave", discard: "discard" }}
          room={room}
          above={
            <>
              <input type="hidden" name="organization_id" value={organizationId} />
              <SeenMessages
                key={conflict?.upTo}
                shown={props.publicMessages}
                pinned={conflict?.upTo ?? (values ? Number(values.begun_at_message) : draft?.baseMessage)}
              />
            </>
          }
          between={
            <>
              <SecretWarning />
              {sent && !problem ? <SentReply undoable={undoable} /> : null}
            </>
          }
          after={<p className="text-ink-2 text-sm">Please don't include patient or card data. {readers}</p>}
        >
          <SubmitButton intent="reply" pendingLabel="Sending…">
            {conflict || values?.secret ? "Send anyway" : "Send Reply"}
          </SubmitButton>
        </MessageFields>
      </Form>
      {undoable ? (
        <UndoForm undoable={undoable} path={action} token={tokens.change} organizationId={organizationId} />
      ) : null}
    </section>
  );
}
