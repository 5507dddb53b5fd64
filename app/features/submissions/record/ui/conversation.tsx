import { attachmentPath } from "~/features/attachments/model";
import { NoteMessage } from "~/features/notes/ui/note-message";
import { cappedText } from "~/lib/capped-count";
import { fileSize } from "~/lib/text";
import { DeliveryState } from "~/ui/delivery-state";
import { ErrorSummary } from "~/ui/error-summary";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Message } from "~/ui/message";
import { QuietLine } from "~/ui/quiet-line";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import type {
  ConversationFilter,
  Conversation as Conversing,
  ShownDelivery,
  ShownEntry,
  SubmissionRecord,
} from "../../model";
import { resendName, useResendError } from "./use-record-errors";

/** Returns the address of the page, with what is shown of the conversation. */
type PathTo = (view: { show?: ConversationFilter; until?: number }) => string;

type ConversationProps = {
  submission: SubmissionRecord;
  conversation: Conversing<ShownEntry>;
  zone: string;
  /** Names the reply that the reader has just sent; null: none. */
  sent: string | null;
  /** Returns the address of a note's own page. */
  notePath: (noteId: string, page?: "delete") => string;
  pathTo: PathTo;
  /** Sends a reply again; its token is `null` where the reader may not. */
  resend: { path: string; token: string | null };
};

const scrollable = { tabIndex: 0 };

/** Shows what was written and what has happened, oldest first: the visitor's message, replies, notes and history. */
export function Conversation({ submission, conversation, zone, sent, notePath, pathTo, resend }: ConversationProps) {
  const { shown, entries, earlier, isEarlier, counts } = conversation;
  const isNotes = shown === "notes";
  const list = (
    <ol className="grid gap-[0.6rem]">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Entry entry={entry} zone={zone} sent={sent} notePath={notePath} resend={resend} />
        </li>
      ))}
    </ol>
  );
  return (
    <div>
      <nav className="mb-[0.6rem] flex flex-wrap items-center gap-x-4 text-xs print:hidden" aria-label="Show">
        <span className="text-ink-3">Show</span>
        <Choice to={pathTo({})} isCurrent={shown === "all"} label="Everything" />
        <Choice
          to={pathTo({ show: "mail" })}
          isCurrent={shown === "mail"}
          label={`Messages ${cappedText(counts.mail)}`}
        />
        <Choice to={pathTo({ show: "notes" })} isCurrent={isNotes} label={`Notes ${cappedText(counts.notes)}`} />
      </nav>
      <section className="grid gap-[0.6rem]" aria-labelledby="conversation-title">
        <h2 className="sr-only" id="conversation-title">
          Conversation
        </h2>
        {isNotes ? null : <FirstMessage submission={submission} zone={zone} />}
        {earlier === null ? null : (
          <p className="pl-4 text-sm print:hidden">
            <Link to={pathTo({ show: shown, until: earlier })}>Show earlier</Link>
          </p>
        )}
        {isNotes && entries.length > 0 ? (
          <section className="max-h-96 overflow-y-auto print:max-h-none" aria-label="All notes" {...scrollable}>
            {list}
          </section>
        ) : null}
        {isNotes ? null : list}
        {isNotes && entries.length === 0 ? <p className="text-ink-2">No notes yet. Only staff see them.</p> : null}
        {isEarlier ? (
          <p className="pl-4 text-sm print:hidden">
            <Link to={pathTo({ show: shown })}>Show the latest</Link>
          </p>
        ) : null}
      </section>
    </div>
  );
}

function Choice({ to, label, isCurrent }: { to: string; label: string; isCurrent: boolean }) {
  return (
    <Link
      to={to}
      aria-current={isCurrent ? "page" : undefined}
      className="inline-flex min-h-7 items-center current:font-semibold current:text-ink current:no-underline"
    >
      {label}
    </Link>
  );
}

/** Shows what the visitor wrote on the contact form, with the file. */
function FirstMessage({ submission, zone }: { submission: SubmissionRecord; zone: string }) {
  const { id, name, message, submittedAt, file } = submission;
  return (
    <Message
      id={`${id}-message`}
      from="them"
      author={name}
      label={<span className="text-ink-2">Contact form</span>}
      when={<Time at={submittedAt} zone={zone} mode="short" />}
    >
      {message ? <UserText>{message}</UserText> : <p className="text-ink-2">No message.</p>}
      {file ? (
        <p className="mt-2">
          <FileLink file={file} />
        </p>
      ) : null}
    </Message>
  );
}

/** Links to a file from a stranger: no one has checked it, and the page says so before it is opened. */
export function FileLink({ file }: { file: NonNullable<SubmissionRecord["file"]> }) {
  return (
    <>
      <a href={attachmentPath(file.id)}>{file.name}</a>{" "}
      <span className="text-ink-3 text-sm">{fileSize(file.bytes)} · not virus-scanned</span>
    </>
  );
}

type EntryProps = { entry: ShownEntry; zone: string } & Pick<ConversationProps, "sent" | "notePath" | "resend">;

function Entry({ entry, zone, sent, notePath, resend }: EntryProps) {
  const when = <Time at={entry.at} zone={zone} mode="short" />;
  switch (entry.kind) {
    case "event":
      return <QuietLine when={when}>{entry.words}</QuietLine>;
    case "reply":
      return (
        <Message
          id={entry.id}
          from="us"
          isFresh={entry.id === sent}
          author={entry.actor}
          label={<span className="font-semibold text-brand">Reply</span>}
          when={when}
          end={entry.delivery ? <ReplyDelivery reply={entry.id} delivery={entry.delivery} {...resend} /> : null}
        >
          <UserText>{entry.message}</UserText>
        </Message>
      );
    case "note":
      return <NoteMessage note={entry} zone={zone} notePath={notePath} />;
  }
}

type ReplyDeliveryProps = { reply: string; delivery: ShownDelivery } & ConversationProps["resend"];

/** Shows where the mail of a reply is, and offers to send it again where it has not arrived. */
function ReplyDelivery({ reply, delivery, path, token }: ReplyDeliveryProps) {
  const error = useResendError(path, reply);
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <DeliveryState {...delivery} />
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      {delivery.state === "failed" && token ? (
        <Form action={path} token={token} name={resendName(reply)} className="print:hidden">
          <input type="hidden" name="reply" value={reply} />
          <SubmitButton variant="quiet" size="sm" name="intent" value="resend" pendingLabel="Sending...">
            Retry
          </SubmitButton>
        </Form>
      ) : null}
    </span>
  );
}
