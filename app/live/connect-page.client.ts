import { minutes } from "~/lib/time";
import { type LiveState, liveBrowser, loadTabState, openLiveConnection, saveTabState } from "./connection";
import { pageRefresh, REFRESH_FAILED } from "./page-refresh";
import { presence } from "./presence";
import type { LiveEventFrame } from "./protocol";

/** Waits after an event, so that several events cause one refresh. */
const DEBOUNCE_MS = 300;
const RETRY_MS = 5000;

type LivePage = {
  lastSeq: () => number;
  onState: (state: LiveState) => void;
  onEvent: (event: LiveEventFrame) => void;
  onStale: () => void;
  /** Returns false when it must be tried again soon. */
  refresh: () => boolean;
};

export type PageConnection = { pause: () => void; resume: () => void; end: () => void };

/** Keeps an open page connected, and has it read its data again after events, until `end`. */
export function connectPage(path: string, page: LivePage): PageConnection {
  const saved = loadTabState(path, Date.now());
  let isPaused = saved.paused;
  let isLive = false;
  const refresher = createRefresher(() => isLive && activity.isActive(), page.refresh);
  const activity = watchUserActivity(refresher.resume);
  const opened = openLiveConnection(
    liveBrowser(path),
    { after: Math.min(saved.seq ?? Number.POSITIVE_INFINITY, page.lastSeq()), paused: saved.paused },
    {
      onState: (next) => {
        isLive = next === "live";
        page.onState(next);
        refresher.resume();
        presence.onState(isLive);
      },
      onPresence: (frame) => presence.onPeople(frame),
      onEvent: (event) => {
        page.onEvent(event);
        refresher.request();
      },
      onReset: refresher.request,
    },
  );
  presence.send = opened.send;

  const updateVisibility = () => {
    if (document.visibilityState === "hidden") return opened.hide();
    opened.wake();
    refresher.resume();
  };
  const saveState = () => saveTabState(path, { seq: opened.lastSeq(), paused: isPaused, at: Date.now() });
  let retry: ReturnType<typeof setTimeout> | undefined;
  const refreshLater = () => {
    page.onStale();
    clearTimeout(retry);
    retry = setTimeout(refresher.request, RETRY_MS);
  };
  updateVisibility();
  // It may have failed before this script was there.
  if (pageRefresh.hasFailed) refreshLater();
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("visibilitychange", updateVisibility, { signal });
  window.addEventListener("online", updateVisibility, { signal });
  window.addEventListener("pagehide", saveState, { signal });
  window.addEventListener(REFRESH_FAILED, refreshLater, { signal });
  return {
    pause: () => {
      isPaused = true;
      opened.pause();
    },
    resume: () => {
      isPaused = false;
      opened.resume();
    },
    end: () => {
      clearTimeout(retry);
      saveState();
      refresher.cancel();
      activity.stop();
      opened.end();
      listening.abort();
    },
  };
}

/** `refresh` returns false when it must be tried again soon. While `canRefresh` is false it waits for `resume`. */
function createRefresher(canRefresh: () => boolean, refresh: () => boolean) {
  let isPending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const request = () => {
    isPending = true;
    if (timer !== undefined || !canRefresh()) return;
    timer = setTimeout(() => {
      timer = undefined;
      isPending = false;
      if (!refresh()) request();
    }, DEBOUNCE_MS);
  };
  return {
    request,
    resume: () => {
      if (isPending) request();
    },
    cancel: () => clearTimeout(timer),
  };
}

const IDLE_TIMEOUT = minutes(10);

const ACTIVITY_EVENTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/**
 * Visible, and used in the last ten minutes. Every request counts as activity of the session: if live events alone
 * made a page read its data, a page that nobody uses would keep its session alive all day.
 */
export function watchUserActivity(onReturn: () => void): { isActive: () => boolean; stop: () => void } {
  let lastUsedAt = Date.now();
  const isActive = () => document.visibilityState === "visible" && Date.now() - lastUsedAt < IDLE_TIMEOUT;
  const onUse = () => {
    const wasIdle = !isActive();
    lastUsedAt = Date.now();
    if (wasIdle) onReturn();
  };
  const listening = new AbortController();
  const options = { passive: true, capture: true, signal: listening.signal };
  for (const name of ACTIVITY_EVENTS) window.addEventListener(name, onUse, options);
  return { isActive, stop: () => listening.abort() };
}
