import { FilesField } from "~/features/attachments/files";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Textarea } from "~/ui/textarea";
import { SecretWarning } from "../../secrets/ui/secret-warning";
import { clientTicketPath } from "../../subject";
import { DraftButtons } from "../../ui/draft-buttons";
import { NewerMessages } from "../../ui/newer-messages";
import { SeenMessages } from "../../ui/seen-messages";
import { SentReply, UndoForm } from "../../ui/undo";
import type { ClientTicketPage, ClientTicketResult } from "../model";

type ReplyFormProps = Pick<
  ClientTicketPage,
  "number" | "organizationId" | "readers" | "room" | "isOver" | "draft" | "publicMessages" | "sent" | "undoable"
> & {
  tokens: { reply: string; change: string };
};

/** Takes an answer with files. */
export function ReplyForm({
  number,
  organizationId,
  readers,
  room,
  isOver,
  draft,
  sent,
  tokens,
  ...props
}: ReplyFormProps) {
  const action = clientTicketPath(number);
  const result = useFormResult<ClientTicketResult>(formKey(action, "reply"));
  const problem = result?.intent === "reply" ? result : undefined;
  const { errors = {}, values = {}, overtaken } = problem ?? {};
  return (
    <section
      className="grid gap-4 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-4 py-4 print:hidden"
      aria-label="Reply"
    >
      {problem ? <ErrorSummary title={problem.title} errors={errors} /> : null}
      {overtaken ? <NewerMessages overtaken={overtaken} /> : null}
      <Form className="grid gap-4" action={action} name="reply" token={tokens.reply} encType="multipart/form-data">
        <input type="hidden" name="organization_id" value={organizationId} />
        <SeenMessages
          key={overtaken?.upTo}
          shown={props.publicMessages}
          pinned={overtaken?.upTo ?? (problem ? Number(values.begun_at_message) : draft?.begunAtMessage)}
        />
        {values.secret ? <input type="hidden" name="secret" value={values.secret} /> : null}
        <Field
          name="body"
          label="Your reply"
          hint={
            isOver ? "This ticket is closed for good. Your message opens a new one that goes on from it." : undefined
          }
          error={errors.body}
        >
          <Textarea rows={4} defaultValue={values.body ?? draft?.text} />
        </Field>
        <SecretWarning />
        {sent ? <SentReply undoable={props.undoable} /> : null}
        <FilesField error={errors.files} isBack={problem !== undefined} room={room} />
        <p className="text-ink-2 text-sm">Please don't include patient or card data. {readers}</p>
        <div className="flex flex-wrap items-center gap-2">
          <DraftButtons isKept={draft !== null} names={{ save: "draft", autosave: "autosave", discard: "discard" }} />
          <SubmitButton className="ml-auto" name="intent" value="reply" pendingLabel="Sending…">
            {overtaken || values.secret ? "Send anyway" : "Send Reply"}
          </SubmitButton>
        </div>
      </Form>
      {props.undoable ? (
        <UndoForm undoable={props.undoable} path={action} token={tokens.change} organizationId={organizationId} />
      ) : null}
    </section>
  );
}
