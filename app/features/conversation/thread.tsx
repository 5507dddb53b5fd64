import type { ReactNode } from "react";
import { FileLink } from "~/features/attachments/file-link";
import { inlinePath } from "~/features/attachments/model";
import { CheckCheck, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { InsideLabel, Message, UserText } from "~/ui/message";
import { QuietLine } from "~/ui/page";
import { Time } from "~/ui/text";
import type { ThreadEntry, ThreadMessage, ThreadSolution } from "./model";

type Onward = { to: string; label: string };

type ThreadProps<Entry> = {
  entries: readonly Entry[];
  earlier: Onward | null;
  later: Onward | null;
  /** The last of many messages; null: there are few, or later ones. */
  latest?: string | null;
  first?: ReactNode;
  frame?: (list: ReactNode) => ReactNode;
  children: (entry: Entry) => ReactNode;
};

export function Thread<Entry extends { kind: string; id: string }>({
  entries,
  earlier,
  later,
  latest,
  first,
  frame = (list) => list,
  children,
}: ThreadProps<Entry>) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby="conversation-title">
      <h2 className="sr-only" id="conversation-title">
        Conversation
      </h2>
      {first}
      <p className="flex flex-wrap gap-x-4 pl-4 text-sm empty:hidden print:hidden [&_a]:py-1">
        {earlier ? <Link to={earlier.to}>{earlier.label}</Link> : null}
        {latest ? <a href={`#${latest}`}>Jump to the latest message</a> : null}
      </p>
      {frame(
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-[0.6rem]">
          {entries.map((entry) => (
            // What resolved a ticket is two entries: the line that says so, and what was done.
            <li key={`${entry.kind} ${entry.id}`}>{children(entry)}</li>
          ))}
        </ol>,
      )}
      {later ? (
        <p className="pl-4 text-sm print:hidden">
          <Link to={later.to}>{later.label}</Link>
        </p>
      ) : null}
    </section>
  );
}

type EntryProps = {
  entry: ThreadEntry;
  zone: string;
  isForClient?: boolean;
  /** The anchor of the entry, where it is not its id. */
  anchor?: string;
  isFresh?: boolean;
  pathOf: (fileId: string) => string;
  /** Leaves addresses in a text as they are: its author is a stranger. */
  isLinkless?: boolean;
  /** What stands at the end of a message's line: the state of its mail. */
  end?: ReactNode;
  below?: ReactNode;
};

export function Entry({ entry, anchor = entry.id, ...props }: EntryProps) {
  const { zone, isForClient = false, isFresh, pathOf, isLinkless, end, below } = props;
  const when = <Time at={entry.at} zone={zone} mode="short" />;
  if (entry.kind === "event") return <QuietLine when={when}>{entry.words}</QuietLine>;
  const shared = { id: anchor, isFresh, when };
  if (entry.kind === "solution") return <Solution {...entry} {...shared} zone={zone} isForClient={isForClient} />;
  const { author, from, text, impact, files } = entry;
  return (
    <Message {...shared} from={from} author={author} label={<Label {...entry} isForClient={isForClient} />} end={end}>
      {text ? <UserText hasLinks={!isLinkless}>{text}</UserText> : null}
      {impact ? (
        <p className="wrap-anywhere mt-2 text-sm">
          <b>What has stopped working:</b> {impact}
        </p>
      ) : null}
      <FileList files={files} pathOf={pathOf} />
      {below}
    </Message>
  );
}

function FileList({ files, pathOf }: Pick<ThreadMessage, "files"> & Pick<EntryProps, "pathOf">) {
  if (files.length === 0) return null;
  return (
    <ul className="mt-3 grid gap-2" aria-label="Files">
      {files.map(({ id, name, size, isImage }) => (
        <li key={id} className="wrap-anywhere grid justify-items-start gap-1">
          {isImage ? (
            <img
              className="max-h-80 max-w-full rounded-md border border-line"
              src={inlinePath(pathOf(id))}
              alt={name}
              loading="lazy"
            />
          ) : null}
          <span>
            <FileLink name={name} bytes={size} path={pathOf(id)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Label({ from, label, isForClient }: Pick<ThreadMessage, "from" | "label"> & { isForClient: boolean }) {
  if (label === null) return null;
  if (from === "inside") return <InsideLabel>{label}</InsideLabel>;
  return <span className={from === "us" && !isForClient ? "font-semibold text-brand" : "text-ink-2"}>{label}</span>;
}

type SolutionProps = Omit<ThreadSolution, "kind" | "at"> & {
  isFresh?: boolean;
  when: ReactNode;
  zone: string;
  isForClient: boolean;
};

function Solution({ text, by, reopened, zone, isForClient, ...shared }: SolutionProps) {
  const reopening = reopened ? (
    <>
      {reopened.by} reopened it <Time at={reopened.at} zone={zone} mode="short" />
    </>
  ) : null;
  if (!isForClient) {
    const label = (
      <span className="inline-flex items-center gap-[0.35rem] font-semibold text-success">
        <Icon of={CheckCheck} /> What was done
      </span>
    );
    const end = reopening ? <span className="text-ink-2 text-xs">{reopening}</span> : null;
    return (
      <Message {...shared} from="solution" author={by} label={label} end={end}>
        <UserText hasLinks>{text}</UserText>
      </Message>
    );
  }
  const title = (
    <span className="inline-flex items-center gap-[0.35rem]">
      <Icon of={CheckCheck} className="text-success" /> What was done
    </span>
  );
  return (
    <Message {...shared} from="solution" author={title} label={null}>
      <UserText hasLinks>{text}</UserText>
      <p className="mt-1 text-ink-2 text-sm">
        Solved by {by}
        {reopening ? <> · {reopening}</> : null}
      </p>
    </Message>
  );
}
