import type { TicketPriority } from "~/features/tickets/model";
import type { SlaEvent, SlaKind, SlaOutcome } from "~/features/tickets/sla/due-times";

/*
 * A second clock, written the slow way: it looks at every minute of the simulated days, asks the system what the clock
 * on the wall says, and counts. It shares nothing with the one it checks but the words for what happens.
 */

type Minutes = {
  start: number;
  /** Tells whether people work in a minute, and what calendar and clock say at its beginning. */
  minutes: { open: boolean; day: string; time: string }[];
  workingDays: ReadonlySet<string>;
};

type Hours = { zone: string; workday: [string, string][]; holiday: string };

/** Asks the system about each minute of some days. */
export function wallClock(from: string, dayCount: number, { zone, workday, holiday }: Hours): Minutes {
  const format = new Intl.DateTimeFormat("en-US", {
    ...({ timeZone: zone, hourCycle: "h23", weekday: "short", year: "numeric", month: "2-digit" } as const),
    ...({ day: "2-digit", hour: "2-digit", minute: "2-digit" } as const),
  });
  const start = Date.parse(from);
  const minutes = Array.from({ length: dayCount * 1440 }, (_, index) => {
    const parts = Object.fromEntries(
      format.formatToParts(start + index * 60_000).map(({ type, value }) => [type, value]),
    );
    const day = `${parts.year}-${parts.month}-${parts.day}`;
    const time = `${parts.hour}:${parts.minute}`;
    const isOff = parts.weekday === "Sat" || parts.weekday === "Sun" || day === holiday;
    return { open: !isOff && workday.some(([opens, closes]) => opens <= time && time < closes), day, time };
  });
  return { start, minutes, workingDays: new Set(minutes.filter(({ open }) => open).map(({ day }) => day)) };
}

type Plan = "basic" | "core" | "premium";
type Counter = "open" | "all" | "night";
type Running = {
  kind: SlaKind;
  from: number;
  urgentFrom: number | null;
  paused: boolean;
  missed: boolean;
  counter: Counter;
  total: number;
  endsOpen: boolean;
  due: number | null;
  /** Tells minute by minute since the start what was counted before it, and whether it is counted itself. */
  past: { open: number; all: number; runs: boolean }[];
};

const HOURS: Record<TicketPriority, number> = { urgent: 2, high: 4, medium: 24, low: 48 };

/** Runs one ticket. `left`: after-hours incidents its organization has left, which the ticket may take one of. */
export class SlowClock {
  readonly outcomes: Pick<SlaOutcome, "kind" | "outcome" | "startedAt" | "dueAt">[] = [];
  running: Running | null = null;
  incidents = 0;
  private firstOver = false;
  private clientWaits = false;
  private ended = false;

  private readonly wall: Minutes;
  private readonly plan: Plan;
  private priority: TicketPriority;
  private readonly left: () => number;

  constructor(wall: Minutes, plan: Plan, priority: TicketPriority, left: () => number) {
    this.wall = wall;
    this.plan = plan;
    this.priority = priority;
    this.left = left;
  }

  /** Lets the minute before `now` pass. */
  pass(now: number): void {
    const { running } = this;
    if (!running) return;
    const before = running.past.at(-1) ?? { open: 0, all: 0, runs: true };
    const isOpen = this.wall.minutes[now - 1]?.open ?? false;
    const all = before.all + (before.runs ? 1 : 0);
    running.past.push({ open: before.open + (before.runs && isOpen ? 1 : 0), all, runs: !running.paused });
    running.due ??= this.isReached(running, now) ? now : null;
    if (running.due !== null && running.due < now && !running.missed) this.judge("missed", running);
  }

  happen(event: SlaEvent, now: number): void {
    const { running } = this;
    switch (event.type) {
      case "client-message":
        this.clientWaits = true;
        this.ended = false;
        if (!running) this.begin(this.firstOver ? "next_response" : "first_response", now);
        else this.setPaused(false, now);
        return;
      case "staff-message":
      case "resolved":
        if (running && !running.missed) this.judge("kept", running);
        this.running = null;
        this.firstOver ||= this.clientWaits || event.type === "resolved";
        this.clientWaits = false;
        this.ended ||= event.type === "resolved";
        return;
      case "status-changed":
        if (running?.kind === "next_response") this.setPaused(event.to === "waiting_for_customer", now);
        return;
      case "priority-changed":
        if (event.to === this.priority) return;
        this.priority = event.to;
        if (!running || running.missed) return;
        if (event.to === "urgent") running.urgentFrom ??= now;
        this.count(running, now);
        return;
      case "reopened":
        if (!this.ended) return;
        this.ended = false;
        this.clientWaits = true;
        this.begin("next_response", now);
    }
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  private judge(outcome: "kept" | "missed", running: Running): void {
    running.missed = outcome === "missed";
    const dueAt = this.instant(running.due ?? this.ahead(running, running.from + running.past.length - 1));
    this.outcomes.push({ kind: running.kind, outcome, startedAt: this.instant(running.from), dueAt });
  }

  private begin(kind: SlaKind, now: number): void {
    const past = [{ open: 0, all: 0, runs: true }];
    const base = { kind, from: now, urgentFrom: this.priority === "urgent" ? now : null, paused: false, missed: false };
    this.running = { ...base, counter: "open", total: 0, endsOpen: false, due: null, past };
    this.count(this.running, now);
  }

  private setPaused(paused: boolean, now: number): void {
    const { running } = this;
    if (!running || running.missed || running.paused === paused) return;
    running.paused = paused;
    const last = running.past.at(-1);
    if (last) last.runs = !paused;
    if (paused) running.due = null;
    else this.count(running, now);
  }

  /** Decides which minutes count, and finds the end in the past, if it is there. */
  private count(running: Running, now: number): void {
    const open = { ...running, counter: "open" as Counter, ...this.openTotal(running) };
    const hours = HOURS[this.priority];
    let chosen: Running =
      this.plan === "premium" ? { ...running, counter: "all", total: hours * 60, endsOpen: false } : open;
    if (this.plan === "core" && this.priority === "urgent") {
      const night: Running = { ...running, counter: "night", total: 240, endsOpen: false };
      const [nightEnd, openEnd] = [this.endOf(night, now), this.endOf(open, now)];
      if (nightEnd < openEnd && nightEnd > now && (this.incidents > 0 || this.left() > 0)) {
        chosen = night;
        this.incidents = 1;
      }
    }
    running.counter = chosen.counter;
    running.total = chosen.total;
    running.endsOpen = chosen.endsOpen;
    running.due = this.pastEnd(running);
    if (running.due === null && !running.paused && this.isReached(running, now)) running.due = now;
  }

  private openTotal({ from }: Running): { total: number; endsOpen: boolean } {
    const hours = HOURS[this.priority];
    if (hours < 24) return { total: hours * 60, endsOpen: false };
    let at = from;
    while (!this.wall.minutes[at]?.open) at += 1;
    const { day: firstDay, time } = this.minute(at);
    let [days, day, total] = [hours / 24, firstDay, 0];
    for (let end = at; ; end += 1) {
      const minute = this.minute(end);
      const isWorkingDay = this.wall.workingDays.has(minute.day);
      if (minute.day !== day && isWorkingDay) days -= 1;
      day = minute.day;
      if (days === 0 && isWorkingDay && minute.time === time) return { total, endsOpen: true };
      if (minute.open) total += 1;
    }
  }

  private minute(at: number): Minutes["minutes"][number] {
    const minute = this.wall.minutes[at];
    if (!minute) throw new Error("The simulated days are over");
    return minute;
  }

  private counted({ counter, past, urgentFrom, from }: Running, at: number): number {
    const here = past[at - from];
    if (!here) return 0;
    if (counter === "open") return here.open;
    const before = counter === "night" ? (past[(urgentFrom ?? from) - from]?.all ?? 0) : 0;
    return here.all - before;
  }

  private isReached(running: Running, at: number): boolean {
    const runs = running.past[at - running.from]?.runs ?? false;
    return runs && this.counted(running, at) >= running.total && (!running.endsOpen || this.minute(at).open);
  }

  private pastEnd(running: Running): number | null {
    const index = running.past.findIndex((_, step) => this.isReached(running, running.from + step));
    return index < 0 ? null : running.from + index;
  }

  private endOf(running: Running, now: number): number {
    return this.pastEnd(running) ?? this.ahead(running, now);
  }

  /** Counts on from now as if nothing else happened. */
  private ahead(running: Running, now: number): number {
    let counted = this.counted(running, now);
    for (let at = now; ; at += 1) {
      const { open } = this.minute(at);
      if (counted >= running.total && (!running.endsOpen || open)) return at;
      if (running.counter !== "open" || open) counted += 1;
    }
  }

  private instant(minute: number): number {
    return this.wall.start + minute * 60_000;
  }
}
