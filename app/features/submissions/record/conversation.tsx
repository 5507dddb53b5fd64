import { FileLink } from "~/features/attachments/file-link";
import { attachmentPath } from "~/features/attachments/model";
import type { MailState } from "~/features/conversation/model";
import { Entry, Thread } from "~/features/conversation/thread";
import { NoteForm, NoteMessage, NoteScroll } from "~/features/notes/notes";
import type { ValidationError } from "~/lib/form";
import { cappedText } from "~/lib/numbers";
import {
  Checkbox,
  ErrorSummary,
  Field,
  Form,
  formKey,
  SentNotice,
  SubmitButton,
  Textarea,
  useFormResult,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { DeliveryState, Message, UserText } from "~/ui/message";
import { Time } from "~/ui/text";
import { TwoFormComposer } from "~/ui/two-form-composer";
import { SUBMISSION_STATUS_LABELS } from "../labels";
import type { ConversationFilter, RecordFormError, RecordIntent } from "../model";
import type { SubmissionRecord } from "../queries.server";
import { listedSubmissionPath, notePath } from "../subject";
import type { SubmissionPage } from "./actions.server";

export function SubmissionConversation({ submission, conversation, zone, sent, list, path, tokens }: SubmissionPage) {
  const { shown, entries, earlier, isEarlier, counts } = conversation;
  const pathTo = ({ show = "all", until }: { show?: ConversationFilter; until?: number }) => {
    const params = new URLSearchParams(list.query);
    if (show !== "all") params.set("show", show);
    if (until) params.set("until", String(until));
    return listedSubmissionPath(submission.id, params.toString());
  };
  const isNotes = shown === "notes";
  const toEarlier = earlier === null ? null : { to: pathTo({ show: shown, until: earlier }), label: "Show earlier" };
  const toLatest = isEarlier ? { to: pathTo({ show: shown }), label: "Show the latest" } : null;
  const none = <p className="text-ink-2">No notes yet. Only staff see them.</p>;
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
      <Thread
        entries={entries}
        first={isNotes ? null : <FirstMessage submission={submission} zone={zone} />}
        // Notes alone stand newest first.
        earlier={isNotes ? toLatest : toEarlier}
        later={isNotes ? toEarlier : toLatest}
        frame={
          isNotes
            ? (list) => (entries.length > 0 ? <NoteScroll label="All notes">{list}</NoteScroll> : none)
            : undefined
        }
      >
        {(entry) =>
          entry.kind === "note" ? (
            <NoteMessage
              note={entry}
              zone={zone}
              notePath={(noteId, page) => notePath(submission.id, noteId, { page, query: list.query })}
            />
          ) : (
            <Entry
              entry={entry}
              isFresh={entry.id === sent}
              zone={zone}
              pathOf={attachmentPath}
              isLinkless
              end={
                entry.kind === "message" && entry.mail ? (
                  <MailEnd reply={entry.id} mail={entry.mail} path={path} token={tokens.resend} />
                ) : null
              }
            />
          )
        }
      </Thread>
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
          <FileLink {...file} path={attachmentPath(file.id)} />
        </p>
      ) : null}
    </Message>
  );
}

function MailEnd({
  reply,
  mail,
  path,
  token,
}: { reply: string; mail: MailState } & { path: string; token: string | null }) {
  const error = useResendError(path, reply);
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <DeliveryState {...mail} />
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      {mail.state === "failed" && token ? (
        <Form action={path} token={token} name={resendName(reply)} className="print:hidden">
          <input type="hidden" name="reply" value={reply} />
          <SubmitButton variant="quiet" size="sm" intent="resend" pendingLabel="Sending...">
            Retry
          </SubmitButton>
        </Form>
      ) : null}
    </span>
  );
}

type ComposerProps = SubmissionPage & { errors: Record<"reply" | "note", ValidationError | null> };

export function SubmissionComposer({ submission, sent, path, tokens, errors }: ComposerProps) {
  if (!tokens.note) return null;
  return (
    <TwoFormComposer
      reply={
        tokens.reply ? (
          <ReplyForm submission={submission} sent={sent} path={path} token={tokens.reply} error={errors.reply} />
        ) : null
      }
      note={<NoteForm path={noteFormPath(path)} token={tokens.note} error={errors.note} />}
    />
  );
}

type FormProps = { path: string; token: string; error: ValidationError | null };

function ReplyForm({ submission, sent, path, token, error }: FormProps & Pick<SubmissionPage, "submission" | "sent">) {
  const { email, firstName, status, owner } = submission;
  const isTicked = (name: string) => !error || error.values[name] === "on";
  return (
    <Form action={path} token={token} name="reply">
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <p className="wrap-anywhere max-w-none text-sm">
        Goes to <b>{firstName}</b> at {email}
      </p>
      <Field name="message" label="Message to the visitor" error={error?.errors.message}>
        <Textarea rows={5} maxLength={10_000} defaultValue={error?.values.message ?? `Hello ${firstName},\n\n`} />
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {sent && !error ? <SentNotice /> : null}
        {status === "new" ? (
          <Checkbox name="contacted" label="Set the status to Contacted" defaultChecked={isTicked("contacted")} />
        ) : (
          <span>The status stays {SUBMISSION_STATUS_LABELS[status]}.</span>
        )}
        {owner ? null : <Checkbox name="assign_to_me" label="Assign to me" defaultChecked={isTicked("assign_to_me")} />}
        <span className="text-ink-2 text-sm">The visitor can read this. Your name goes below it.</span>
        <SubmitButton
          className="ml-auto"
          size="sm"
          intent="reply"
          pendingLabel="Sending..."
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          Send Reply
        </SubmitButton>
      </div>
    </Form>
  );
}

export function useRecordErrors(path: string): Record<Exclude<RecordIntent, "resend">, RecordFormError | null> {
  return {
    handling: useErrorOf(path, "handling"),
    note: useErrorOf(noteFormPath(path), "note"),
    reply: useErrorOf(path, "reply"),
    release: useErrorOf(path, "release"),
    unlink: useErrorOf(path, "unlink"),
  };
}

/** Without scripts a rejected note is shown again. */
const noteFormPath = (path: string): string => `${path}#note`;

const resendName = (reply: string): string => `resend ${reply}`;

function useResendError(path: string, reply: string): RecordFormError | null {
  const failed = useFormResult<RecordFormError>(formKey(path, resendName(reply)));
  return failed?.intent === "resend" && failed.values.reply === reply ? failed : null;
}

function useErrorOf(path: string, intent: RecordIntent): RecordFormError | null {
  const failed = useFormResult<RecordFormError>(formKey(path, intent));
  return failed?.intent === intent ? failed : null;
}
