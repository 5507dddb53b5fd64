import { dayIn, type Instant } from "~/lib/time";
import type { ListRead, PageSize } from "~/lists/model";
import { ListFilters, ListPanel } from "~/lists/ui/list-page";
import { optionsWithNone } from "~/ui/form";
import { Link } from "~/ui/link";
import { ChoiceField } from "~/ui/list-fields";
import { StatCards } from "~/ui/stat-cards";
import { Tag } from "~/ui/status-pill";
import { formatInstant } from "~/ui/text";
import { ACTIVITY_TYPE_LABELS, NO_ACTIVITY, typeLabel } from "../labels";
import type { ActivityCounts, ActivityType } from "../model";
import type { ActivityEntry } from "./activity-entry";
import { type ActivityFilter, activityList } from "./definition";

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

type ActivityFiltersProps = {
  filter: ActivityFilter;
  size: PageSize;
  types: readonly ActivityType[];
};

export function ActivityFilters({ filter, size, types }: ActivityFiltersProps) {
  const options = optionsWithNone("Any type", types, ACTIVITY_TYPE_LABELS);
  const type = filter.type ?? "";
  return (
    <ListFilters
      definition={activityList}
      label="Activity"
      search="Search action, details or person"
      filter={filter}
      size={size}
      values={{ type }}
    >
      <ChoiceField name="type" label="Type" options={options} value={type} />
    </ListFilters>
  );
}

function ActivityStatCards({ counts }: { counts: ActivityCounts }) {
  return (
    <StatCards
      label="Activity"
      items={[
        { label: "Total Activities", value: counts.all },
        { label: "Submissions", note: "With changes of status", value: counts.submissions },
        { label: "User Actions", note: "By people with an account", value: counts.people },
        {
          label: "Recent Activity",
          note: counts.lastHour.more ? "Last hour, at least" : "Last hour",
          value: counts.lastHour.count,
        },
      ]}
    />
  );
}

const NO_MATCH = { title: "Nothing found", body: "No activity matches these filters." };

type ActivityPanelProps = {
  activity: ListRead<ActivityEntry> & { counts: ActivityCounts };
  types: readonly ActivityType[];
  filter: ActivityFilter;
  size: PageSize;
};

export function ActivityPanel({ activity, types, filter, size }: ActivityPanelProps) {
  const { page, counts, zone } = activity;
  return (
    <>
      <ActivityStatCards counts={counts} />
      <ListPanel
        definition={activityList}
        list={activity}
        filter={filter}
        size={size}
        filters={<ActivityFilters filter={filter} size={size} types={types} />}
        empty={NO_ACTIVITY}
        noMatch={NO_MATCH}
      >
        <ActivityFeed entries={page.rows} zone={zone} />
      </ListPanel>
    </>
  );
}
