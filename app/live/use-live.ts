import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { type LiveConnection, type LiveState, openLiveConnection } from "./connection";
import type { LiveEventFrame } from "./protocol";
import { loadTabState, saveTabState } from "./tab-state";
import { watchUserActivity } from "./user-activity";

/** Waits after an event, so that several events cause one refresh. */
const DEBOUNCE_MS = 300;

type LiveOptions = {
  /** Number of the newest event in the rendered page. */
  lastSeq: number;
  /** Called once for each event, before the page reads its data again. */
  onEvent: (event: LiveEventFrame) => void;
};

/**
 * Keeps a hydrated page up to date: connects to a live channel and runs the page's own guarded loaders again after each
 * event. The page also works without it. `state` is for display.
 */
export function useLive(path: string, { lastSeq, onEvent }: LiveOptions) {
  const [state, setState] = useState<LiveState>("connecting");
  const { revalidate } = useRevalidator();
  const connection = useRef<LiveConnection | null>(null);
  const isPaused = useRef(false);
  const isNavigating = useNavigation().state !== "idle";
  const latest = useRef({ lastSeq, onEvent, revalidate, isNavigating });
  latest.current = { lastSeq, onEvent, revalidate, isNavigating };

  useEffect(() => {
    const saved = loadTabState(path, Date.now());
    isPaused.current = saved.paused;
    let isLive = false;
    let isRefreshPending = false;
    let debounceTimer: ReturnType<typeof setTimeout> | undefined;

    /** Runs the loaders soon, or later if the page is not connected or nobody uses it. */
    const refresh = () => {
      isRefreshPending = true;
      if (debounceTimer !== undefined || !isLive || !activity.isActive()) return;
      debounceTimer = setTimeout(() => {
        debounceTimer = undefined;
        // Running the loaders now would restart the navigation, and the one-time message of its page would be lost.
        if (latest.current.isNavigating) return refresh();
        isRefreshPending = false;
        latest.current.revalidate();
      }, DEBOUNCE_MS);
    };
    const refreshIfPending = () => {
      if (isRefreshPending) refresh();
    };
    const activity = watchUserActivity(refreshIfPending);
    const opened = openLiveConnection(
      {
        openSocket: () => new WebSocket(location.origin.replace(/^http/, "ws") + path),
        now: () => Date.now(),
        random: Math.random,
        setTimer: (delay, callback) => {
          const timer = setTimeout(callback, delay);
          return () => clearTimeout(timer);
        },
      },
      { after: Math.min(saved.seq ?? Number.POSITIVE_INFINITY, latest.current.lastSeq), paused: saved.paused },
      {
        onState: (next) => {
          isLive = next === "live";
          setState(next);
          refreshIfPending();
        },
        onEvent: (event) => {
          latest.current.onEvent(event);
          refresh();
        },
        onReset: refresh,
      },
    );
    connection.current = opened;

    const updateVisibility = () => {
      if (document.visibilityState === "hidden") return opened.hide();
      opened.wake();
      refreshIfPending();
    };
    const saveState = () => saveTabState(path, { seq: opened.lastSeq(), paused: isPaused.current, at: Date.now() });
    updateVisibility();
    document.addEventListener("visibilitychange", updateVisibility);
    window.addEventListener("online", updateVisibility);
    window.addEventListener("pagehide", saveState);
    return () => {
      saveState();
      clearTimeout(debounceTimer);
      activity.stop();
      opened.end();
      document.removeEventListener("visibilitychange", updateVisibility);
      window.removeEventListener("online", updateVisibility);
      window.removeEventListener("pagehide", saveState);
    };
  }, [path]);

  const pause = useCallback(() => {
    isPaused.current = true;
    connection.current?.pause();
  }, []);
  const resume = useCallback(() => {
    isPaused.current = false;
    connection.current?.resume();
  }, []);
  return { state, pause, resume };
}
