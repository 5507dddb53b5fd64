import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { CANNED_REPLIES_PATH } from "~/features/canned-replies/model";
import type { OfferedReply } from "~/features/canned-replies/queries.server";
import { MessageFields, SecretWarning, SeenMessages } from "~/features/conversation/composer";
import { SentReply, UndoForm } from "~/features/conversation/undo";
import {
  Checkbox,
  Field,
  Form,
  formKey,
  Select,
  SentNotice,
  SubmitButton,
  Textarea,
  useEnhancement,
  useFormResult,
  useSending,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { TwoFormComposer } from "~/ui/two-form-composer";
import { MESSAGE_LIMIT, RESOLUTION_LIMITS, WHY_LATE_LIMIT } from "../model";
import type { TicketFormError, TicketFormName, TicketPage } from "./actions.server";
import { Recipients } from "./recipients";

/** Takes a reply to the client, or a note that only staff read: two forms, so that one is never taken for the other. */
export function TicketComposer(page: TicketPage) {
  const { path, tokens, drafts, sent, undoable } = page;
  const notePath = `${path}#note`;
  const undo = tokens.undo ? undoable : null;
  const replyError = useTicketError(path, "reply");
  const noteError = useTicketError(notePath, "note");
  return (
    <>
      <Presence ticketId={page.ticket.id} />
      <TwoFormComposer
        reply={
          tokens.reply ? (
            <Form action={path} token={tokens.reply} name="reply" encType="multipart/form-data">
              <ReplyFields
                draft={drafts.reply}
                error={replyError}
                sent={!replyError && (undo || (sent && !sent.isInternal)) ? <SentReply undoable={undo} /> : null}
                page={page}
              />
            </Form>
          ) : null
        }
        note={
          tokens.note ? (
            <Form action={notePath} token={tokens.note} name="note" encType="multipart/form-data">
              <NoteFields
                draft={drafts.note}
                error={noteError}
                room={page.room}
                sent={sent?.isInternal && !noteError ? <SentNotice label="Added" /> : null}
              />
            </Form>
          ) : null
        }
      />
      {undo && tokens.undo ? <UndoForm undoable={undo} path={path} token={tokens.undo} /> : null}
    </>
  );
}

type FieldsProps = { draft: TicketPage["drafts"]["reply"]; error: TicketFormError | null; sent: ReactNode };

function ReplyFields({ draft, error, sent, page }: FieldsProps & { page: TicketPage }) {
  const { canned, recipients, isLate, room } = page;
  const { status, publicMessages, organization, assignee } = page.ticket;
  const { conflict, inserted, values, errors } = error ?? {};
  const whatWasDone = values?.what_was_done ?? draft?.whatWasDone;
  const seen = conflict && `${conflict.upTo} ${conflict.status}`;
  const isResolved = status === "resolved";
  // Whoever is writing what was done keeps the field when somebody else is faster.
  const [wasResolved] = useState(isResolved);
  // Only an insertion makes a new text area: what is typed after it stays when the next answer is none, or another one.
  const insertion = useRef<string>();
  if (inserted) insertion.current = inserted.id;
  return (
    <>
      <MessageFields
        error={error}
        draft={draft}
        ids={{ files: "reply-files" }}
        label="Reply to the client"
        rows={6}
        maxLength={MESSAGE_LIMIT}
        textKey={insertion.current}
        drafts={{ save: "draft", autosave: "autosave", discard: "discard" }}
        room={room}
        above={
          <>
            <SeenMessages
              key={seen}
              shown={`${publicMessages} ${status}`}
              pinned={seen ?? values?.begun_at_message ?? (draft ? `${draft.baseMessage} ${status}` : undefined)}
            />
            <Recipients
              key={values?.not_to}
              recipients={recipients}
              organization={organization.name}
              leftOut={values ? (values.not_to ?? "").split(" ").filter(Boolean) : JSON.parse(draft?.notTo ?? "[]")}
              error={errors?.to}
            />
            <Insertion canned={canned} inserted={inserted} />
          </>
        }
        below={<OfferReplies replies={canned} />}
        between={
          <>
            <SecretWarning />
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 empty:hidden">
              {sent}
              {assignee === null ? (
                <span className="ml-auto">
                  <Checkbox
                    name="assign_to_me"
                    label="Assign to me"
                    defaultChecked={!values || values.assign_to_me === "on"}
                  />
                </span>
              ) : null}
            </div>
          </>
        }
        after={
          isLate ? (
            <Field
              name="why_late"
              label="Why was this late?"
              hint="The client reads it, here and in the letter about the month."
              optional
              error={errors?.why_late}
            >
              <Textarea rows={2} maxLength={WHY_LATE_LIMIT} defaultValue={values?.why_late ?? draft?.whyLate} />
            </Field>
          ) : null
        }
      >
        <SubmitButton variant="quiet" size="sm" intent="reply_wait" pendingLabel="Sending...">
          Send and wait for customer
        </SubmitButton>
        {page.list.next !== null ? (
          <SubmitButton
            variant="quiet"
            size="sm"
            intent="reply_next"
            pendingLabel="Sending..."
            aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
          >
            Send and next
          </SubmitButton>
        ) : null}
        <SubmitButton size="sm" intent="reply" pendingLabel="Sending..." aria-keyshortcuts="Control+Enter Meta+Enter">
          {conflict || values?.secret ? "Send anyway" : "Send"}
        </SubmitButton>
      </MessageFields>
      {isResolved && wasResolved && !whatWasDone ? null : (
        <details className="border-line border-t pt-1" open={Boolean(errors?.what_was_done || whatWasDone)}>
          <summary className="cursor-pointer py-1 text-sm max-md:py-3">Resolve the ticket…</summary>
          <div className="mt-2 grid gap-2">
            <Field
              name="what_was_done"
              label="What was done"
              hint="The client reads it. A message above is not needed."
              error={errors?.what_was_done}
            >
              <Textarea rows={3} maxLength={RESOLUTION_LIMITS.max} defaultValue={whatWasDone} />
            </Field>
            <SubmitButton
              className="ml-auto"
              variant="quiet"
              size="sm"
              intent="reply_resolve"
              pendingLabel="Sending..."
            >
              Send and resolve
            </SubmitButton>
          </div>
        </details>
      )}
    </>
  );
}

function Insertion({ canned, inserted }: Pick<TicketPage, "canned"> & Pick<TicketFormError, "inserted">) {
  if (canned.length === 0) return null;
  return (
    <div className="flex flex-wrap items-end gap-2 [&>div]:min-w-[min(15rem,100%)]">
      <Field name="canned" label="Saved reply">
        <Select options={canned} />
      </Field>
      <SubmitButton variant="quiet" size="sm" intent="insert" pendingLabel="Inserting...">
        Insert
      </SubmitButton>
      <Link className="py-2 text-sm max-md:py-3" to={CANNED_REPLIES_PATH}>
        Saved replies
      </Link>
      <span className="hidden py-2 text-ink-2 text-sm lg:scripting:inline">or type / on a new line</span>
      {inserted ? (
        <p className="max-w-none basis-full text-sm" role="status">
          {inserted.isAtEnd ? "Inserted at the end of the text." : "Inserted."}
          {inserted.proposal ? ` Usually sent with “${inserted.proposal}”.` : ""}
        </p>
      ) : null}
    </div>
  );
}

const loadNames = async () => (await import("./offer-names.client")).offerNames;

function NoteFields({ sent, ...props }: FieldsProps & Pick<TicketPage, "room">) {
  return (
    <MessageFields
      {...props}
      ids={{ body: "note-text", files: "note-files" }}
      label="Internal note"
      hint="Only staff can read this. It is never mailed. Write @name to tell a colleague."
      rows={5}
      maxLength={MESSAGE_LIMIT}
      drafts={{ save: "note_draft", autosave: "note_autosave", discard: "note_discard" }}
      below={
        <div
          ref={useEnhancement<HTMLDivElement>(loadNames)}
          className="floating absolute inset-x-0 top-full z-3 max-w-80 rounded-3 border border-line-strong bg-raised py-1"
          id="offered-names"
          role="listbox"
          aria-label="Colleagues"
          hidden
        />
      }
      between={sent}
    >
      <SubmitButton size="sm" intent="note" pendingLabel="Adding..." aria-keyshortcuts="Control+Enter Meta+Enter">
        Add internal note
      </SubmitButton>
    </MessageFields>
  );
}

type Props = { replies: readonly OfferedReply[] };

/**
 * Offers saved replies while "/" is typed in the text area before it, by a script of its own: see there. Without it,
 * also where it cannot be loaded, nothing is shown and nothing is lost.
 */
function OfferReplies(props: Props) {
  const { isPending } = useSending();
  const [Offered, setOffered] = useState<ComponentType<Props & { isPending: boolean }>>();
  useEffect(() => {
    import("./slash-replies.client").then(
      ({ SlashReplies }) => setOffered(() => SlashReplies),
      () => {},
    );
  }, []);
  return Offered ? <Offered {...props} isPending={isPending} /> : null;
}

const load = async () => (await import("./watch-presence.client")).watchPresence;

/** Keeps a line for who else of the staff has the ticket open. It stays empty without scripts. */
function Presence({ ticketId }: { ticketId: string }) {
  return (
    <p
      ref={useEnhancement<HTMLParagraphElement>(load)}
      className="-my-2 h-[1.45em] max-w-none truncate text-ink-2 text-sm print:hidden"
      data-ticket={ticketId}
      aria-live="polite"
    />
  );
}

export function useTicketError(action: string, form: TicketFormName): TicketFormError | null {
  const failed = useFormResult<TicketFormError>(formKey(action, form));
  return failed?.form === form ? failed : null;
}
