import { clientAttachmentPath } from "~/features/attachments/model";
import { FileList } from "~/features/attachments/ui/file-list";
import { useBrand } from "~/features/settings/ui/use-brand";
import { Link } from "~/ui/link";
import { Message } from "~/ui/message";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { clientTicketPath } from "../../subject";
import type { ClientTicketPage } from "../model";

type ConversationProps = Pick<
  ClientTicketPage,
  "messages" | "earlier" | "latest" | "number" | "zone" | "resolution" | "impact"
>;

/** Shows what was written on the ticket, the oldest first. Internal notes are not among it: they were never read. */
export function Conversation({ messages, earlier, latest, number, zone, resolution, impact }: ConversationProps) {
  const provider = useBrand().name;
  const looks = { you: "you", colleague: "them", support: "us" } as const;
  const labels = { you: null, colleague: "Colleague", support: `${provider} support` };
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby="conversation-title">
      <h2 id="conversation-title" className="sr-only">
        Conversation
      </h2>
      <p className="flex flex-wrap gap-x-4 empty:hidden print:hidden [&_a]:py-1">
        {earlier ? <Link to={`${clientTicketPath(number)}?before=${earlier}`}>Earlier messages</Link> : null}
        {latest ? <a href={`#${latest}`}>Jump to the latest message</a> : null}
      </p>
      {messages.map(({ id, author, from, at, text, files }, index) => (
        <Message
          key={id}
          id={id}
          from={looks[from]}
          author={author}
          label={labels[from] ? <span className="text-ink-2">{labels[from]}</span> : null}
          when={<Time at={at} zone={zone} mode="short" />}
        >
          {text ? <UserText hasLinks>{text}</UserText> : null}
          {index === 0 && !earlier && impact ? (
            <p className="wrap-anywhere mt-2 text-sm">
              <b>What has stopped working:</b> {impact}
            </p>
          ) : null}
          <FileList files={files} pathOf={clientAttachmentPath} />
        </Message>
      ))}
      {resolution ? (
        <div className="rounded-3 border border-line border-l-4 border-l-brand bg-sheet px-4 py-3">
          <p className="font-semibold text-sm">What was done</p>
          <UserText hasLinks>{resolution}</UserText>
        </div>
      ) : null}
    </section>
  );
}
