import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { minutes } from "~/lib/time";
import {
  type LiveConnection,
  type LiveState,
  liveBrowser,
  loadTabState,
  openLiveConnection,
  saveTabState,
} from "./connection";
import { pageRefresh, REFRESH_FAILED } from "./page-refresh";
import { presence } from "./presence";
import type { LiveEventFrame } from "./protocol";

/** Waits after an event, so that several events cause one refresh. */
const DEBOUNCE_MS = 300;
const RETRY_MS = 5000;

/** `isStale`: the page shows what it had because it could not be read again, which is tried again soon. */
export function useLive(
  path: string,
  { lastSeq, onEvent }: { lastSeq: number; onEvent: (event: LiveEventFrame) => void },
) {
  const [state, setState] = useState<LiveState>("connecting");
  const { revalidate, state: refreshState } = useRevalidator();
  const [isStale, setStale] = useState(false);
  const connection = useRef<LiveConnection | null>(null);
  const isPaused = useRef(false);
  const isNavigating = useNavigation().state !== "idle";
  const latest = useRef({ lastSeq, onEvent, revalidate, isNavigating });
  latest.current = { lastSeq, onEvent, revalidate, isNavigating };

  useEffect(() => {
    const saved = loadTabState(path, Date.now());
    isPaused.current = saved.paused;
    let isLive = false;
    const refresher = createRefresher(
      () => isLive && activity.isActive(),
      () => {
        // Running the loaders now would restart the navigation.
        if (latest.current.isNavigating) return false;
        pageRefresh.hasFailed = false;
        latest.current.revalidate();
        return true;
      },
    );
    const activity = watchUserActivity(refresher.resume);
    const opened = openLiveConnection(
      liveBrowser(path),
      { after: Math.min(saved.seq ?? Number.POSITIVE_INFINITY, latest.current.lastSeq), paused: saved.paused },
      {
        onState: (next) => {
          isLive = next === "live";
          setState(next);
          refresher.resume();
          presence.onState(isLive);
        },
        onPresence: (frame) => presence.onPeople(frame),
        onEvent: (event) => {
          latest.current.onEvent(event);
          refresher.request();
        },
        onReset: refresher.request,
      },
    );
    connection.current = opened;
    presence.send = opened.send;

    const updateVisibility = () => {
      if (document.visibilityState === "hidden") return opened.hide();
      opened.wake();
      refresher.resume();
    };
    const saveState = () => saveTabState(path, { seq: opened.lastSeq(), paused: isPaused.current, at: Date.now() });
    updateVisibility();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const refreshLater = () => {
      setStale(true);
      clearTimeout(retry);
      retry = setTimeout(refresher.request, RETRY_MS);
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("visibilitychange", updateVisibility, { signal });
    window.addEventListener("online", updateVisibility, { signal });
    window.addEventListener("pagehide", saveState, { signal });
    window.addEventListener(REFRESH_FAILED, refreshLater, { signal });
    return () => {
      clearTimeout(retry);
      saveState();
      refresher.cancel();
      activity.stop();
      opened.end();
      listening.abort();
    };
  }, [path]);

  useEffect(() => {
    if (refreshState === "idle") setStale(pageRefresh.hasFailed);
  }, [refreshState]);

  const pause = useCallback(() => {
    isPaused.current = true;
    connection.current?.pause();
  }, []);
  const resume = useCallback(() => {
    isPaused.current = false;
    connection.current?.resume();
  }, []);
  return { state, isStale, pause, resume };
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
