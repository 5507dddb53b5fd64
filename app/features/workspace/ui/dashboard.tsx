import type { ReactNode } from "react";
import { FIRST_HOUR_PATH } from "~/lib/addresses";
import { type CappedCount, cappedText } from "~/lib/numbers";
import { plural } from "~/lib/text";
import { dueInWords } from "~/lib/time-labels";
import { type QueueOwner, queuePath, type WaitingItem, type WaitingQueue } from "~/lib/waiting";
import { Avatar } from "~/ui/avatar";
import { cx } from "~/ui/cx";
import { Form, SubmitButton, useSending } from "~/ui/form";
import { Link } from "~/ui/link";
import { ListTabs } from "~/ui/list-tabs";
import { Sheet } from "~/ui/page";
import { DueText } from "~/ui/status-pill";
import { Mono, VisuallyHidden } from "~/ui/text";

const QUEUE_EMPTY: Record<QueueOwner, string> = {
  all: "Nobody is waiting.",
  me: "Nobody is waiting for you.",
  none: "Everything has an owner.",
};

const isOne = ({ count, isMore }: CappedCount) => count === 1 && !isMore;

export function summarizeQueue({ counts, late }: Pick<WaitingQueue, "counts" | "late">) {
  const { all, none } = counts;
  if (all.count === 0) return { waiting: QUEUE_EMPTY.all, late: null, unowned: null };
  return {
    waiting: all.isMore
      ? `${cappedText(all)} people are waiting.`
      : `${plural(all.count, "person is", "people are")} waiting.`,
    late: late.count > 0 ? `${cappedText(late)} ${isOne(late) ? "answer is" : "answers are"} late` : null,
    unowned: none.count > 0 ? `${cappedText(none)} ${isOne(none) ? "has" : "have"} no owner` : null,
  };
}

export const nextPromise = ({ counts, next }: Pick<WaitingQueue, "counts" | "next">): string =>
  counts.all.count > 0 ? `The next answer is ${dueInWords(next)}.` : `A submission sent now is ${dueInWords(next)}.`;

const GRID = cx("grid @max-medium:hidden grid-cols-[4rem_minmax(0,1fr)_10.2rem_8.6rem] gap-x-[0.9rem] px-4");

type QueueProps = {
  queue: WaitingQueue;
  owner: QueueOwner;
  token: string | null;
  lists: readonly { to: string; label: string }[];
};

export function Queue({ queue, owner, token, lists }: QueueProps) {
  const { items, counts } = queue;
  const tabs = [
    { to: queuePath("all"), label: "All", count: cappedText(counts.all), current: owner === "all" },
    { to: queuePath("me"), label: "Mine", count: cappedText(counts.me), current: owner === "me" },
    { to: queuePath("none"), label: "No owner", count: cappedText(counts.none), current: owner === "none" },
  ];
  return (
    <Sheet id="waiting" title="Waiting for an answer" isMain aside={<QueueSummary {...queue} />}>
      <div className="*:px-4">
        <ListTabs label="Whose" items={tabs} />
      </div>
      {items.length > 0 ? (
        <>
          <div className={cx(GRID, "py-[0.3rem] font-semibold text-ink-2 text-xs")} aria-hidden="true">
            <span>Number</span>
            <span>Who and what</span>
            <span>Promise left</span>
            <span>Owner</span>
          </div>
          <ol className="grid flex-1 auto-rows-[minmax(min-content,4.1rem)] content-start">
            {items.map((item) => (
              <Item key={item.id} item={item} queue={owner} token={token} />
            ))}
          </ol>
        </>
      ) : (
        <div className="grid flex-1 content-center justify-items-center gap-1 px-4 py-8 text-center">
          <b>{QUEUE_EMPTY[owner]}</b>
          <span className="text-ink-2">{nextPromise(queue)}</span>
        </div>
      )}
      <p className="flex max-w-none flex-wrap justify-between gap-x-4 border-line border-t px-4 py-2 [&_a]:py-[0.1rem] max-md:[&_a]:py-[0.65rem]">
        <span className="text-ink-2 text-sm">Oldest promise first. Held submissions are not counted.</span>
        <span className="flex flex-wrap gap-x-4">
          {lists.map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </span>
      </p>
    </Sheet>
  );
}

function QueueSummary(queue: WaitingQueue) {
  const { waiting, late, unowned } = summarizeQueue(queue);
  return (
    <p className="max-w-none">
      <b>{waiting}</b> {late ? <span className="text-danger">{late}</span> : null}
      {late && unowned ? ", " : null}
      {unowned}
      {late || unowned ? "." : null}
    </p>
  );
}

const ITEM = cx(
  "relative grid min-h-[3.2rem] grid-cols-[4rem_minmax(0,1fr)_10.2rem_8.6rem] items-center gap-x-[0.9rem] border-line border-t px-4 py-[0.4rem] hover:bg-brand-tint last:[box-shadow:0_1px_0_var(--color-line)]",
  // On a phone with large text all stands one below the other.
  "@max-[15rem]:block @max-[15rem]:min-w-0 @max-medium:grid-cols-[minmax(0,1fr)_auto] @max-medium:gap-x-3 @max-medium:gap-y-[0.15rem] @max-medium:py-[0.7rem]",
);

function Item({ item, queue, token }: { item: WaitingItem; queue: QueueOwner; token: string | null }) {
  const { id, number, to, name, organization, snippet, due, mark, sla } = item;
  return (
    <li id={id} className={ITEM}>
      <Mono className="@max-medium:col-span-2 text-ink-2 text-sm">{number}</Mono>
      <div className="@max-medium:col-span-2 min-w-0">
        <span className="block truncate">
          <Link className="font-semibold text-ink no-underline after:absolute after:inset-0 hover:underline" to={to}>
            {name}
            <VisuallyHidden>, {number}</VisuallyHidden>
          </Link>{" "}
          {organization ? <span className="text-ink-2">{organization}</span> : null}
        </span>
        {snippet ? (
          <span className="@max-medium:line-clamp-2 @medium:block @medium:truncate text-ink-2">{snippet}</span>
        ) : null}
      </div>
      <span>
        <DueText due={due} />
        <small className="block @medium:whitespace-nowrap text-ink-2 text-xs">
          {mark ? <span aria-hidden="true">{mark} </span> : null}
          {sla}
        </small>
      </span>
      {token === null ? (
        <div className={OWNER}>
          <Owner item={item} mayTake={false} />
        </div>
      ) : (
        // It stays around the name of the owner, so that what became of it is said in its place.
        <Form className={OWNER} action={queuePath(queue)} token={token} name={id} intent={item.take}>
          <input type="hidden" name="own" value={queue} />
          <Owner item={item} mayTake />
        </Form>
      )}
    </li>
  );
}

const OWNER = cx(
  "flex min-w-0 @max-medium:max-w-[9rem] flex-wrap items-center @max-medium:justify-end gap-x-2 @max-medium:justify-self-end",
  "[&>[role=alert]]:mt-1 [&>[role=alert]]:text-xs",
);

function Owner({ item: { id, number, owner }, mayTake }: { item: WaitingItem; mayTake: boolean }) {
  const { answer } = useSending();
  if (owner === null && !mayTake) return <span className="text-ink-2">No owner</span>;
  if (owner === null) {
    return (
      <SubmitButton
        className="relative z-1 px-2!"
        variant="quiet"
        size="xs"
        name="id"
        value={id}
        pendingLabel="Assigning…"
      >
        {/* One element: parts of a grid would be read with a space between them. */}
        <span>
          Assign to me<VisuallyHidden>: {number}</VisuallyHidden>
        </span>
      </SubmitButton>
    );
  }
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar name={owner} />
      <span className="min-w-0 truncate">
        <VisuallyHidden>Owner: </VisuallyHidden>
        {owner}
        {/* The message of the page says it aloud. */}
        {answer.done ? (
          <span className="block text-success text-xs" aria-hidden="true">
            ✓ Saved
          </span>
        ) : null}
      </span>
    </span>
  );
}

type DashboardLayoutProps = { main: ReactNode; sidebar: ReactNode; metrics: ReactNode; more: ReactNode };

/** On a narrow page all of it stands in this order. */
export function DashboardLayout({ main, sidebar, metrics, more }: DashboardLayoutProps) {
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1fr)_18rem] grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)]">{main}</div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">{sidebar}</div>
      <div className="col-span-full grid @wide:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
        {metrics}
        {more}
      </div>
    </div>
  );
}

export function FirstHourNotice({ left, next }: { left: number; next: string }) {
  return (
    <Sheet
      id="first-hour"
      title="The first hour"
      aside={<span className="text-ink-2">{plural(left, "step")} left</span>}
    >
      <p className="px-4 pb-3">
        Next: {next}. <Link to={FIRST_HOUR_PATH}>Go on</Link>
      </p>
    </Sheet>
  );
}
