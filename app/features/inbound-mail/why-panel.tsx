import { FactList } from "~/ui/fact-list";
import { CircleAlert, CircleCheck, CircleMinus, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/page";
import { EmailText, Time } from "~/ui/text";
import {
  CLASS_LABELS,
  DKIM_LABELS,
  INBOUND_STATE_LABELS,
  notTaken,
  REASON_LABELS,
  sizeInWords,
  TIER_LABELS,
  UNREADABLE_LABELS,
} from "./labels";
import type { MailFacts } from "./model";

type Check = { is: "good" | "bad" | "neither"; title: string; detail: string };

const SHAPES = { good: CircleCheck, bad: CircleAlert, neither: CircleMinus };
const COLORS = { good: "text-success", bad: "text-danger", neither: "text-ink-2" };

/**
 * Says how a mail came to be where it is: the checks, in the order in which they were made. `original`: where the mail
 * can be had as it came.
 */
export function WhyPanel({ mail, zone, original }: { mail: MailFacts; zone: string; original?: string }) {
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
              detail: mail.address ? (
                <>
                  {mail.name && mail.name !== mail.address ? `${mail.name}, ` : null}
                  <EmailText email={mail.address} />
                </>
              ) : null,
            },
            ...(mail.originalSender
              ? [{ term: "Forwarded from", detail: <EmailText email={mail.originalSender} /> }]
              : []),
            { term: "To", detail: mail.envelopeTo ? <EmailText email={mail.envelopeTo} /> : null },
            { term: "Received", detail: <Time at={mail.receivedAt} zone={zone} mode="short" /> },
            { term: "Ticket", detail: mail.ticket ? <Link to={mail.ticket.path}>{mail.ticket.reference}</Link> : null },
            original
              ? { term: "Original", detail: <a href={original}>{sizeInWords(mail.size)}, not virus-scanned</a> }
              : { term: "Size", detail: sizeInWords(mail.size) },
          ]}
        />
      </div>
    </Panel>
  );
}

function checksOf(mail: MailFacts): Check[] {
  const { class: mailClass, checked, signature, tier, ticket, namedTicket, reason, state } = mail;
  const why = mail.unreadable ? UNREADABLE_LABELS[mail.unreadable] : reason && REASON_LABELS[reason];
  const isHeld = state === "held" || state === "failed";
  return [
    ...(mailClass ? [{ is: mailClass === "person" ? "good" : "neither", ...CLASS_LABELS[mailClass] } as const] : []),
    checked
      ? { is: "good", title: "The sender is checked", detail: `The mail is signed by ${checked}.` }
      : {
          is: "neither",
          title: "The sender is not checked",
          detail: signature ? DKIM_LABELS[signature] : "Its signature was not looked at.",
        },
    tier
      ? { is: "good", title: `It belongs to ${ticket?.reference ?? "a ticket"}`, detail: `Found ${TIER_LABELS[tier]}.` }
      : {
          is: "neither",
          title: namedTicket
            ? `It names ${namedTicket}, but its sender is not on it`
            : "It names no ticket of its sender",
          detail: "Looked at: reply address, thread, the id of our mail, quoted text, subject.",
        },
    ...(why ? [{ is: isHeld ? "bad" : "neither", title: INBOUND_STATE_LABELS[state], detail: why } as const] : []),
    ...(reason === "unreadable" ? [] : [trimmed(mail)]),
  ];
}

function trimmed(mail: MailFacts): Check {
  const parts = [
    ...(mail.isTrimmed ? ["What it quotes is left out."] : []),
    ...(mail.isCut ? ["Its end is left out: it is too long."] : []),
    ...notTaken(mail),
  ];
  return parts.length > 0
    ? { is: "neither", title: "Not all of it is shown", detail: parts.join(" ") }
    : { is: "good", title: "Nothing was cut off", detail: "All that was written is shown." };
}
