import { withParams } from "~/lib/addresses";
import { FactList } from "~/ui/fact-list";
import { CircleAlert, CircleCheck, CircleMinus, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { CLASS_LABELS, INBOUND_STATE_LABELS, REASON_LABELS, TIER_LABELS } from "./labels";
import type { MailFacts, MailOrigin } from "./model";
import { mailPath, WHOLE_MAIL } from "./paths";

type MailOfMessageProps = {
  /** The id of the message, or of the ticket for its description. */
  id: string;
  /** Null: it could not be read. */
  mail: {
    origins: Record<string, MailOrigin>;
    whole: { id: string; text: string | null } | null;
    before: string | null;
  } | null;
  path: string;
};

/** Says at a message of a ticket how it came by mail, and all that the mail says, to staff. */
export function MailOfMessage({ id: messageId, mail, path }: MailOfMessageProps) {
  const origin = mail?.origins[messageId];
  if (!origin) return null;
  const { id, class: mailClass, address, reason, tier, checked, isTrimmed } = origin;
  const whole = mail.whole?.id === id ? mail.whole : null;
  const asked = { ...(mail.before ? { before: mail.before } : {}), [WHOLE_MAIL]: id };
  const parts = [
    `It came by mail${address ? ` from ${address}` : ""}.`,
    checked ? `The sender is checked (${checked}).` : "The sender is not checked.",
    ...(reason === "placed" ? [REASON_LABELS.placed] : tier ? [`The ticket was found ${TIER_LABELS[tier]}.`] : []),
    ...(mailClass && mailClass !== "person" ? [`${CLASS_LABELS[mailClass].title}.`] : []),
    ...(isTrimmed ? ["What it quotes is left out."] : []),
  ];
  return (
    <div className="mt-2 flex flex-wrap items-start gap-x-5 text-sm print:hidden">
      <details className="open:basis-full">
        <summary className="w-fit cursor-pointer py-1 text-ink-2 max-md:py-3">Why is this here?</summary>
        <p className="wrap-anywhere text-ink-2">{parts.join(" ")}</p>
        <p className="mt-1 max-md:py-2">
          <Link to={mailPath(id)}>All about this mail</Link>
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
      ) : (
        <p className="py-1 max-md:py-3">
          <Link to={`${withParams(path, asked)}#${messageId}`}>Show the whole mail</Link>
        </p>
      )}
    </div>
  );
}

type Check = { is: "good" | "bad" | "neither"; title: string; detail: string };

const SHAPES = { good: CircleCheck, bad: CircleAlert, neither: CircleMinus };
const COLORS = { good: "text-success", bad: "text-danger", neither: "text-ink-2" };

/** Says how a mail came to be where it is: the checks, in the order in which they were made. */
export function WhyPanel({ mail, zone }: { mail: MailFacts; zone: string }) {
  return (
    <Panel id="why" title="Why is this here?">
      <ul className="grid gap-3">
        {checksOf(mail).map(({ is, title, detail }) => (
          <li key={title} className="flex gap-2">
            <Icon of={SHAPES[is]} className={`mt-[0.2em] ${COLORS[is]}`} />
            <span className="wrap-anywhere min-w-0">
              <b className="block">{title}</b>
              <span className="text-ink-2 text-sm">{detail}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <FactList
          facts={[
            { term: "State", detail: INBOUND_STATE_LABELS[mail.state] },
            {
              term: "From",
              detail: mail.name && mail.name !== mail.address ? `${mail.name}, ${mail.address}` : mail.address || null,
            },
            ...(mail.originalSender ? [{ term: "Forwarded from", detail: mail.originalSender }] : []),
            { term: "To", detail: mail.envelopeTo || null },
            { term: "Received", detail: <Time at={mail.receivedAt} zone={zone} mode="short" /> },
            { term: "Ticket", detail: mail.ticket ? <Link to={mail.ticket.path}>{mail.ticket.reference}</Link> : null },
            { term: "Size", detail: sizeInWords(mail.size) },
          ]}
        />
      </div>
    </Panel>
  );
}

function checksOf(mail: MailFacts): Check[] {
  const { class: mailClass, checked, tier, ticket, reason, state } = mail;
  const isHeld = state === "held" || state === "failed";
  return [
    ...(mailClass ? [{ is: mailClass === "person" ? "good" : "neither", ...CLASS_LABELS[mailClass] } as const] : []),
    checked
      ? { is: "good", title: "The sender is checked", detail: `The mail is signed by ${checked}.` }
      : { is: "neither", title: "The sender is not checked", detail: "No signature of their domain was verified." },
    tier
      ? { is: "good", title: `It belongs to ${ticket?.reference ?? "a ticket"}`, detail: `Found ${TIER_LABELS[tier]}.` }
      : {
          is: "neither",
          title: "It names no ticket of its sender",
          detail: "Looked at: reply address, thread, the id of our mail, quoted text, subject.",
        },
    ...(reason
      ? [{ is: isHeld ? "bad" : "neither", title: INBOUND_STATE_LABELS[state], detail: REASON_LABELS[reason] } as const]
      : []),
    trimmed(mail),
  ];
}

function trimmed({ isTrimmed, isCut, isLarge, hasWinmail, refusedFiles }: MailFacts): Check {
  const parts = [
    ...(isTrimmed ? ["What it quotes is left out."] : []),
    ...(isCut ? ["Its end is left out: it is too long."] : []),
    ...(isLarge ? ["Only its beginning was read: it is large."] : []),
    ...(hasWinmail ? ["Outlook has packed its files into one, winmail.dat."] : []),
    ...(refusedFiles.length > 0 ? [`Files that were not taken: ${refusedFiles.join(", ")}.`] : []),
  ];
  return parts.length > 0
    ? { is: "neither", title: "Not all of it is shown", detail: parts.join(" ") }
    : { is: "good", title: "Nothing was cut off", detail: "All that was written is shown." };
}

function sizeInWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
