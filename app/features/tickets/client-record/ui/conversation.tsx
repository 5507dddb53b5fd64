import { FileList } from "~/features/attachments/files";
import { clientAttachmentPath } from "~/features/attachments/model";
import { useBrand } from "~/features/settings/brand";
import { Icon } from "~/ui/icon";
import { CheckCheck } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Message } from "~/ui/message";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { clientTicketPath } from "../../subject";
import type { ClientMessage, ClientSolution, ClientTicketPage } from "../model";

type ConversationProps = Pick<
  ClientTicketPage,
  "messages" | "solutions" | "sent" | "earlier" | "latest" | "number" | "zone" | "impact"
>;

/**
 * Shows what was written on the ticket and what was done, the oldest first. Internal notes are not among it: they were
 * never read.
 */
export function Conversation({ messages, solutions, sent, zone, ...props }: ConversationProps) {
  const { earlier, latest, number, impact } = props;
  // Of the same instant the message comes first.
  const entries = [...messages, ...solutions].toSorted((left, right) => left.at - right.at);
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby="conversation-title">
      <h2 id="conversation-title" className="sr-only">
        Conversation
      </h2>
      <p className="flex flex-wrap gap-x-4 empty:hidden print:hidden [&_a]:py-1">
        {earlier ? <Link to={`${clientTicketPath(number)}?before=${earlier}`}>Earlier messages</Link> : null}
        {latest ? <a href={`#${latest}`}>Jump to the latest message</a> : null}
      </p>
      {entries.map((entry, index) =>
        "by" in entry ? (
          <SolutionNote key={entry.id} solution={entry} zone={zone} />
        ) : (
          <Written
            key={entry.id}
            message={entry}
            isFresh={entry.id === sent}
            impact={index === 0 && !earlier ? impact : null}
            zone={zone}
          />
        ),
      )}
    </section>
  );
}

const LOOKS = { you: "you", colleague: "them", support: "us" } as const;

type WrittenProps = { message: ClientMessage; isFresh: boolean; impact: string | null; zone: string };

function Written({ message: { id, author, from, at, text, files }, isFresh, impact, zone }: WrittenProps) {
  const provider = useBrand().name;
  const label = { you: null, colleague: "Colleague", support: `${provider} support` }[from];
  return (
    <Message
      id={id}
      from={LOOKS[from]}
      isFresh={isFresh}
      author={author}
      label={label ? <span className="text-ink-2">{label}</span> : null}
      when={<Time at={at} zone={zone} mode="short" />}
    >
      {text ? <UserText hasLinks>{text}</UserText> : null}
      {impact ? (
        <p className="wrap-anywhere mt-2 text-sm">
          <b>What has stopped working:</b> {impact}
        </p>
      ) : null}
      <FileList files={files} pathOf={clientAttachmentPath} />
    </Message>
  );
}

/** Shows what was done to resolve the ticket, also after it was opened again. */
function SolutionNote({ solution: { id, at, text, by, reopened }, zone }: { solution: ClientSolution; zone: string }) {
  return (
    <Message
      id={id}
      from="solution"
      author={
        <span className="inline-flex items-center gap-[0.35rem]">
          <Icon of={CheckCheck} className="text-success" /> What was done
        </span>
      }
      label={null}
      when={<Time at={at} zone={zone} mode="short" />}
    >
      <UserText hasLinks>{text}</UserText>
      <p className="mt-1 text-ink-2 text-sm">
        Solved by {by}
        {reopened ? (
          <>
            {" · "}
            {reopened.by} reopened it <Time at={reopened.at} zone={zone} mode="short" />
          </>
        ) : null}
      </p>
    </Message>
  );
}
