import { dayIn, type Instant } from "~/lib/time";
import { Link } from "~/ui/link";
import { Tag } from "~/ui/status-pill";
import { formatInstant } from "~/ui/text";
import { typeLabel } from "../labels";
import type { ActivityEntry } from "./activity-entry";

export function ActivityFeed({ entries, zone }: { entries: readonly ActivityEntry[]; zone: string }) {
  return (
    <div className="@container grid grid-cols-[minmax(0,1fr)] gap-6">
      {byDay(entries, zone).map(({ day, at, lines }) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <h2 className="mb-[0.4rem] text-md" id={`day-${day}`}>
            {formatInstant(at, zone, "date")}
          </h2>
          <ol className="rounded-3 border border-line bg-sheet *:grid *:grid-cols-[7.5rem_8rem_minmax(0,1fr)_minmax(0,15rem)] @max-[16rem]:*:grid-cols-[minmax(0,1fr)] @max-wide:*:grid-cols-[auto_minmax(0,1fr)] *:items-start *:gap-x-4 *:gap-y-1 *:border-line *:border-b *:px-4 *:py-[0.6rem] *:last:border-b-0">
            {lines.map((entry) => (
              <Line key={entry.id} entry={entry} zone={zone} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Line({ entry, zone }: { entry: ActivityEntry; zone: string }) {
  const { at, type, sentence, details, email, href } = entry;
  const linked = (words: string) => (href ? <Link to={href}>{words}</Link> : words);
  return (
    <li>
      <time dateTime={new Date(at).toISOString()} title={formatInstant(at, zone, "datetime")}>
        {formatInstant(at, zone, "date").split(",")[0]}, {formatInstant(at, zone, "time")}
      </time>
      <Tag className="justify-self-start">{typeLabel(type)}</Tag>
      <p className="wrap-anywhere @max-wide:col-span-full">
        {details ? sentence : linked(sentence)}
        {details ? <span className="block text-ink-2">{linked(details)}</span> : null}
      </p>
      <span className="wrap-anywhere @max-wide:col-span-full text-ink-3 text-sm">{email ?? ""}</span>
    </li>
  );
}

function byDay(entries: readonly ActivityEntry[], zone: string) {
  const groups: { day: string; at: Instant; lines: ActivityEntry[] }[] = [];
  for (const entry of entries) {
    const day = dayIn(zone, entry.at);
    const group = groups.at(-1);
    if (group?.day === day) group.lines.push(entry);
    else groups.push({ day, at: entry.at, lines: [entry] });
  }
  return groups;
}
