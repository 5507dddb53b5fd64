import { type ReactNode, useEffect, useRef, useState } from "react";
import { FilesField } from "~/features/attachments/files";
import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, SubmitButton, Textarea, useEnhancement } from "~/ui/form";
import { UserText } from "~/ui/message";
import { DRAFT_SAVED } from "./labels";
import type { Conflict } from "./model";

export function NewerMessages({ conflict }: { conflict: Conflict }) {
  return (
    <div className="grid gap-2 rounded-3 border border-line-strong bg-paper px-3 py-2">
      {conflict.messages.map(({ id, author, text }) => (
        <div key={id}>
          <p className="font-semibold text-sm">{author} wrote:</p>
          <UserText size="sm" hasLinks>
            {text}
          </UserText>
        </div>
      ))}
      <p className="max-w-none text-sm">Your reply was not sent. Send it anyway, or edit it first.</p>
    </div>
  );
}

type SeenMessagesProps = {
  /**
   * Counts the public messages that the page shows now, which may read new ones at any time; for staff with the status
   * of the ticket, "3 open", and beside the question whether it is solved with when it ended, "3 17000".
   */
  shown: number | string;
  pinned?: number | string;
};

/**
 * Sends how many messages the author had seen when they began to write. A page that refreshes itself shows later ones,
 * but whoever is writing may not look up.
 */
export function SeenMessages({ shown, pinned }: SeenMessagesProps) {
  const [begun, setBegun] = useState(pinned);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = input.current?.form;
    const begin = () => setBegun((before) => before ?? shown);
    form?.addEventListener("input", begin);
    return () => form?.removeEventListener("input", begin);
  }, [shown]);
  return <input ref={input} type="hidden" name="begun_at_message" value={begun ?? shown} readOnly />;
}

const load = async () => (await import("./keep-draft.client")).keepDraft;

type DraftButtonsProps = {
  isKept: boolean;
  names: { save: string; autosave: string; discard: string };
  isSaved?: boolean;
};

/** Shows the buttons that keep what was typed for later; with scripts it is kept by itself after a pause. */
function DraftButtons({ isKept, names: { save, autosave, discard }, isSaved }: DraftButtonsProps) {
  return (
    <>
      <span ref={useEnhancement<HTMLSpanElement>(load)} data-intent={autosave} hidden />
      <SubmitButton variant="quiet" size="sm" intent={save} pendingLabel="Saving...">
        Save draft
      </SubmitButton>
      {isKept ? (
        <SubmitButton variant="quiet" size="sm" intent={discard} pendingLabel="Deleting...">
          Delete draft
        </SubmitButton>
      ) : null}
      {isSaved ? (
        <span className="text-sm" role="status">
          {DRAFT_SAVED.title}. {DRAFT_SAVED.message}
        </span>
      ) : null}
    </>
  );
}

const loadWatch = async () => (await import("./watch-secrets.client")).watchSecrets;

/**
 * Warns while somebody types what looks like a password or a card number. Without scripts the server asks when the form
 * around is sent, as it does anyway; what it asks is not said here as well.
 */
export function SecretWarning() {
  return (
    <p
      ref={useEnhancement<HTMLParagraphElement>(loadWatch)}
      className="text-sm text-warning empty:sr-only [form:has([name=secret])_&]:hidden"
      role="status"
    />
  );
}

type MessageFieldsProps = {
  /** Says why the message was not accepted, with what was typed; null: it was not sent yet. */
  error: (ValidationError & { conflict?: Conflict; isKept?: true }) | null;
  draft: { text: string } | null;
  ids?: { body?: string; files?: string };
  label: string;
  hint?: string;
  rows: number;
  maxLength?: number;
  /** Makes the text area a new one, with another text. */
  textKey?: string;
  above?: ReactNode;
  below?: ReactNode;
  between?: ReactNode;
  room: string | null;
  after?: ReactNode;
  drafts: DraftButtonsProps["names"];
  children: ReactNode;
};

export function MessageFields({ error, draft, ids, label, hint, rows, maxLength, ...props }: MessageFieldsProps) {
  const { errors, values, conflict } = error ?? {};
  return (
    <>
      {error?.title ? <ErrorSummary title={error.title} errors={error.errors} ids={ids} /> : null}
      {conflict ? <NewerMessages conflict={conflict} /> : null}
      {values?.secret ? <input type="hidden" name="secret" value={values.secret} /> : null}
      {props.above}
      <div className="relative">
        <Field name="body" id={ids?.body} label={label} hint={hint} error={errors?.body}>
          <Textarea key={props.textKey} rows={rows} maxLength={maxLength} defaultValue={values?.body ?? draft?.text} />
        </Field>
        {props.below}
      </div>
      {props.between}
      <FilesField id={ids?.files} error={errors?.files} isBack={error !== null} room={props.room} />
      {props.after}
      <div className="flex flex-wrap items-center gap-2">
        <DraftButtons isKept={draft !== null} names={props.drafts} isSaved={error?.isKept} />
        <span className="ml-auto flex flex-wrap gap-2 max-md:ml-0">{props.children}</span>
      </div>
    </>
  );
}
