import { withParams } from "~/lib/addresses";
import { CircleAlert, CircleCheck, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { Notice } from "~/ui/page";
import type { readMailOfTicket } from "./mail-page.server";
import { mailPath, originalMailPath, WHOLE_MAIL } from "./paths";

type MailOfMessageProps = {
  /** The id of the message, or of the ticket for its description. */
  id: string;
  /** Null: it could not be read. */
  mail: Awaited<ReturnType<typeof readMailOfTicket>> | null;
  path: string;
};

/** Says to staff at the head of a message of a ticket that it came by mail. */
export function MailAtHead({ id: messageId, mail, path }: MailOfMessageProps) {
  const origin = mail?.origins[messageId];
  if (!origin) return null;
  const { id, isChecked } = origin;
  const asked = { ...(mail.before ? { before: mail.before } : {}), [WHOLE_MAIL]: id };
  return (
    <>
      <span className="inline-flex items-center gap-[0.3rem] text-ink-2 text-xs">
        <Icon of={isChecked ? CircleCheck : CircleAlert} size="1rem" />
        By mail, sender {isChecked ? "checked" : "not checked"}
      </span>
      {mail.whole?.id === id ? null : (
        <Link className="py-1 max-md:py-3 print:hidden" to={`${withParams(path, asked)}#${messageId}`}>
          Show the whole mail
        </Link>
      )}
    </>
  );
}

/** Says to staff how a message of a ticket came by mail, and all that the mail says. */
export function MailOfMessage({ id: messageId, mail }: Omit<MailOfMessageProps, "path">) {
  const origin = mail?.origins[messageId];
  if (!origin) return null;
  const { id, words, missing, size } = origin;
  const original = <a href={originalMailPath(id)}>Original, {size}</a>;
  const whole = mail.whole?.id === id ? mail.whole : null;
  return (
    <div className="mt-2 flex flex-wrap items-start gap-x-5 text-sm print:hidden">
      {missing ? (
        <p className="wrap-anywhere basis-full py-1">
          {missing} {original}
        </p>
      ) : null}
      <details className="open:basis-full">
        <summary className="w-fit cursor-pointer py-1 text-ink-2 max-md:py-3">Why is this here?</summary>
        <p className="wrap-anywhere text-ink-2">{words}</p>
        <p className="mt-1 max-md:py-2">
          <Link to={mailPath(id)}>All about this mail</Link>
          {missing ? null : <> · {original}</>}
        </p>
      </details>
      {whole ? (
        <details className="basis-full" open>
          <summary className="w-fit cursor-pointer py-1 text-ink-2 max-md:py-3">Show the whole mail</summary>
          {whole.text === null ? (
            <p className="text-ink-2">The mail cannot be shown.</p>
          ) : (
            <UserText size="sm">{whole.text || "It has no text."}</UserText>
          )}
        </details>
      ) : null}
    </div>
  );
}

/** Tells staff on a ticket that mail for it waits for them to decide. */
export function HeldMailOfTicket({ mail }: Pick<MailOfMessageProps, "mail">) {
  if (!mail || mail.held.length === 0) return null;
  const mails = mail.held.map(({ id, address, why }) => (
    <span key={id} className="wrap-anywhere block">
      <Link to={mailPath(id)}>Mail from {address}</Link>: {why}
    </span>
  ));
  return <Notice kind="warning" className="print:hidden" title="Mail for this ticket is held" message={mails} />;
}
