import { attachmentPath } from "~/features/attachments/model";
import { FileList } from "~/features/attachments/ui/file-list";
import { Icon } from "~/ui/icon";
import { Lock } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Message } from "~/ui/message";
import { QuietLine } from "~/ui/quiet-line";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import type { ThreadEntry } from "../../conversation/thread";
import type { MessageDelivery } from "../../mails/model";
import { MailState } from "../../mails/ui/mail-state";

type ThreadProps = {
  entries: readonly ThreadEntry[];
  organization: string;
  /** Says what was done, while the ticket is resolved or closed. */
  resolution: string | null;
  zone: string;
  /** Says where the mails about replies are, by message, and the forms that send them again or take the reply back. */
  mails: {
    deliveries: Readonly<Record<string, MessageDelivery>>;
    /** Names the reply that can still be taken back, and for how many milliseconds; null: there is none. */
    undoable: { id: string; left: number } | null;
    path: string;
    tokens: { retry_mail: string | null; undo: string | null };
  };
  /** Holds the addresses of the page with earlier messages, and with the latest; null: these are the ones. */
  earlierPath: string | null;
  latestPath: string | null;
  /** Holds the id of the last of many messages; null: there are few, or later ones. */
  latest: string | null;
};

/** Shows the conversation, the oldest first, with internal notes in their place and what has happened between. */
export function Thread({
  entries,
  organization,
  resolution,
  zone,
  mails,
  earlierPath,
  latest,
  latestPath,
}: ThreadProps) {
  return (
    <section aria-labelledby="conversation-title">
      <h2 className="sr-only" id="conversation-title">
        Conversation
      </h2>
      <p className="mb-3 flex flex-wrap gap-x-4 pl-4 text-sm empty:hidden print:hidden [&_a]:py-1">
        {earlierPath ? <Link to={earlierPath}>Show earlier messages</Link> : null}
        {latest ? <a href={`#${latest}`}>Jump to the latest message</a> : null}
      </p>
      <ol className="grid gap-[0.6rem]">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} organization={organization} zone={zone} mails={mails} />
          </li>
        ))}
      </ol>
      {resolution ? (
        <div className="mt-[0.6rem] rounded-3 border border-line border-l-4 border-l-success bg-sheet px-4 py-3">
          <p className="mb-1 font-semibold text-sm">What was done</p>
          <UserText hasLinks>{resolution}</UserText>
        </div>
      ) : null}
      {latestPath ? (
        <p className="mt-3 pl-4 text-sm print:hidden">
          <Link to={latestPath}>Show the latest messages</Link>
        </p>
      ) : null}
    </section>
  );
}

type EntryProps = { entry: ThreadEntry } & Pick<ThreadProps, "organization" | "zone" | "mails">;

function Entry({ entry, organization, zone, mails: { deliveries, undoable, path, tokens } }: EntryProps) {
  const when = <Time at={entry.at} zone={zone} mode="short" />;
  if (entry.kind === "event") return <QuietLine when={when}>{entry.words}</QuietLine>;
  const { id, author, side, isInternal, text, files } = entry;
  const from = isInternal ? "inside" : side === "staff" ? "us" : "them";
  return (
    <Message
      id={id}
      from={from}
      author={author}
      label={<Label from={from} organization={organization} />}
      when={when}
      end={
        <MailState
          message={id}
          delivery={deliveries[id]}
          undoableFor={id === undoable?.id ? undoable.left : 0}
          path={path}
          tokens={tokens}
        />
      }
    >
      {text ? <UserText hasLinks>{text}</UserText> : null}
      <FileList files={files} pathOf={attachmentPath} />
    </Message>
  );
}

function Label({ from, organization }: { from: "them" | "us" | "inside"; organization: string }) {
  if (from === "them") return <span className="text-ink-2">{organization}</span>;
  if (from === "us") return <span className="font-semibold text-brand">Reply</span>;
  return (
    <span className="inline-flex items-center gap-[0.35rem] font-semibold text-canary-ink">
      <Icon of={Lock} /> Internal note – the client never sees this
    </span>
  );
}
