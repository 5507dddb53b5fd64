import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { type LiveConnection, type LiveState, openLiveConnection } from "./connection";
import type { LiveBrowser } from "./live-socket";
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
    const refresher = createRefresher({
      canRefresh: () => isLive && activity.isActive(),
      isNavigating: () => latest.current.isNavigating,
      refresh: () => latest.current.revalidate(),
    });
    const activity = watchUserActivity(refresher.resume);
    const opened = openLiveConnection(
      liveBrowser(path),
      { after: Math.min(saved.seq ?? Number.POSITIVE_INFINITY, latest.current.lastSeq), paused: saved.paused },
      {
        onState: (next) => {
          isLive = next === "live";
          setState(next);
          refresher.resume();
        },
        onEvent: (event) => {
          latest.current.onEvent(event);
          refresher.request();
        },
        onReset: refresher.request,
      },
    );
    connection.current = opened;

    const updateVisibility = () => {
      if (document.visibilityState === "hidden") return opened.hide();
      opened.wake();
      refresher.resume();
    };
    const saveState = () => saveTabState(path, { seq: opened.lastSeq(), paused: isPaused.current, at: Date.now() });
    updateVisibility();
    const stopWatching = watchPage(updateVisibility, saveState);
    return () => {
      saveState();
      refresher.cancel();
      activity.stop();
      opened.end();
      stopWatching();
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

type Refresh = {
  /** False while the page is not connected or nobody uses it. */
  canRefresh: () => boolean;
  isNavigating: () => boolean;
  refresh: () => void;
};

/** Refreshes a page after events: several close together cause one refresh, and one that must wait is not lost. */
function createRefresher({ canRefresh, isNavigating, refresh }: Refresh) {
  let isPending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const request = () => {
    isPending = true;
    if (timer !== undefined || !canRefresh()) return;
    timer = setTimeout(() => {
      timer = undefined;
      // Running the loaders now would restart the navigation, and the one-time message of its page would be lost.
      if (isNavigating()) return request();
      isPending = false;
      refresh();
    }, DEBOUNCE_MS);
  };
  return {
    request,
    /** Requests a refresh that has waited. */
    resume: () => {
      if (isPending) request();
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Returns the functions of this browser that a connection to a live channel uses. */
const liveBrowser = (path: string): LiveBrowser => ({
  openSocket: () => new WebSocket(location.origin.replace(/^http/, "ws") + path),
  now: () => Date.now(),
  random: Math.random,
  setTimer: (delay, callback) => {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
});

/**
 * Calls `onVisibility` when the page is shown or hidden or the network is back, and `onUnload` before the page is left.
 * Returns a function that stops this.
 */
function watchPage(onVisibility: () => void, onUnload: () => void): () => void {
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("online", onVisibility);
  window.addEventListener("pagehide", onUnload);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    window.removeEventListener("online", onVisibility);
    window.removeEventListener("pagehide", onUnload);
  };
}
