import { CalendarClock, CircleUser, Mail, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import type { Instant } from "~/lib/time";
import { Icon } from "~/ui/icon";
import { Panel } from "~/ui/panel";
import { ToneIcon } from "~/ui/status-pill";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import type { TimelineEntry } from "../../model";
import { STATUS_LOOK } from "../../ui/submission-status";

type TimelineProps = {
  entries: readonly TimelineEntry[];
  notes: readonly { id: string; author: string; createdAt: Instant }[];
  zone: string;
};

/** Shows everything that has happened to the submission, newest first. */
export function Timeline({ entries, notes, zone }: TimelineProps) {
  const written = notes.map(({ id, author, createdAt }) => ({
    kind: "note" as const,
    id,
    actor: author,
    at: createdAt,
  }));
  const all = [...entries, ...written].sort((left, right) => right.at - left.at);
  return (
    <Panel id="history" title="History">
      {all.length === 0 ? <p className="text-ink-2">Nothing has happened to it yet.</p> : null}
      <ol>
        {all.map((entry) => (
          <Entry key={entry.id} entry={entry} zone={zone} />
        ))}
      </ol>
    </Panel>
  );
}

function Entry({ entry, zone }: { entry: TimelineEntry; zone: string }) {
  const when = <Time at={entry.at} zone={zone} />;
  switch (entry.kind) {
    case "status": {
      const { label, tone } = STATUS_LOOK[entry.to];
      const what = entry.released ? `released it from review as ${label}` : `set the status to ${label}`;
      return (
        <TimelineItem icon={<ToneIcon tone={tone} />}>
          {entry.actor} {what}, {when}
        </TimelineItem>
      );
    }
    case "assignment":
      return (
        <TimelineItem icon={<Icon of={entry.followUpOn ? CalendarClock : CircleUser} />}>
          {entry.actor} {assignmentText(entry)}, {when}
        </TimelineItem>
      );
    case "reply":
      return (
        <TimelineItem icon={<Icon of={Mail} />}>
          {entry.actor} queued a reply, {when}
          <UserText
            as="span"
            size="sm"
            className="mt-[0.35rem] block border-line-strong border-l-3 pl-[0.8rem] text-ink"
          >
            {entry.message}
          </UserText>
        </TimelineItem>
      );
    case "note":
      return (
        <TimelineItem icon={<Icon of={MessageSquare} />}>
          {entry.actor} added a note, {when}
        </TimelineItem>
      );
  }
}

function assignmentText({ owner, followUpOn }: { owner: string | null; followUpOn: string | null }): string {
  const whose = owner ? `assigned it to ${owner}` : "left it without an owner";
  return followUpOn ? `${whose}, to follow up on ${followUpOn}` : whose;
}

function TimelineItem({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[auto_1fr] gap-[0.6rem] py-[0.35rem] text-ink-2 [&>svg]:mt-[0.15em]">
      {icon}
      <span>{children}</span>
    </li>
  );
}
