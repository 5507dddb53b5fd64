/** Names the tasks of a thread in a trace, and the one event that names the page which the thread is of. */
const TASK = "RunTask";
const PARSE = "ParseHTML";

/** Holds what a task may take before it counts as blocking, in milliseconds. */
const SHORT_TASK = 50;

/**
 * Returns how long the thread of a page was blocked, in milliseconds, on a processor slower by `slowdown`. The trace
 * has the threads of the browser's own pages as well. Null: it lacks the time of one of the page's tasks, as of one
 * that was still running at its end.
 */
export function blockedTime(events, { url, slowdown }) {
  const page = events.find(({ name, args }) => name === PARSE && args?.beginData?.url === url);
  const tasks = events.filter(({ name, pid, tid }) => name === TASK && pid === page?.pid && tid === page.tid);
  if (tasks.length === 0) throw new Error(`The trace has no tasks of ${url}`);
  if (!tasks.every(({ tdur }) => Number.isFinite(tdur))) return null;
  const blocked = tasks.map(({ tdur }) => Math.max(0, (tdur / 1000) * slowdown - SHORT_TASK));
  return blocked.reduce((sum, milliseconds) => sum + milliseconds, 0);
}
