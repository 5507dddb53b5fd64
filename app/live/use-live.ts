import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { watchAttention } from "./attention";
import { type LiveConnection, type LiveState, openLiveConnection } from "./connection";
import type { LiveEventFrame } from "./protocol";
import { recall, remember } from "./tab-memory";

/** Several events at once lead to one look. */
const GATHER_MS = 300;

type LiveOptions = {
  /** The newest event the page has been rendered with. */
  lastSeq: number;
  /** Called once for each event, before the page has read its data again. */
  onEvent: (note: LiveEventFrame) => void;
};

/**
 * Keeps a hydrated page fresh: connects to a live channel, and whenever something has happened lets the page's own
 * guarded loaders run again. Nothing depends on it; `state` says what to tell the person about it.
 */
export function useLive(path: string, { lastSeq, onEvent }: LiveOptions) {
  const [state, setState] = useState<LiveState>("connecting");
  const { revalidate } = useRevalidator();
  const connection = useRef<LiveConnection | null>(null);
  const isPaused = useRef(false);
  const isUnderWay = useNavigation().state !== "idle";
  const latest = useRef({ lastSeq, onEvent, revalidate, isUnderWay });
  latest.current = { lastSeq, onEvent, revalidate, isUnderWay };

  useEffect(() => {
    const memory = recall(path, Date.now());
    isPaused.current = memory.paused;
    let isLive = false;
    let isLookOwed = false;
    let gathering: ReturnType<typeof setTimeout> | undefined;

    /** Reads again soon; but only over a line that works and for somebody who is there. Otherwise it stays owed. */
    const look = () => {
      isLookOwed = true;
      if (gathering !== undefined || !isLive || !attention.isAttended()) return;
      gathering = setTimeout(() => {
        gathering = undefined;
        // Reading now would start the page that is on its way anew, and its one-time message would be gone.
        if (latest.current.isUnderWay) return look();
        isLookOwed = false;
        latest.current.revalidate();
      }, GATHER_MS);
    };
    const lookIfOwed = () => {
      if (isLookOwed) look();
    };
    const attention = watchAttention(lookIfOwed);
    const opened = openLiveConnection(
      {
        open: () => new WebSocket(location.origin.replace(/^http/, "ws") + path),
        now: () => Date.now(),
        random: Math.random,
        later: (delay, work) => {
          const timer = setTimeout(work, delay);
          return () => clearTimeout(timer);
        },
      },
      { after: Math.min(memory.seq ?? Number.POSITIVE_INFINITY, latest.current.lastSeq), paused: memory.paused },
      {
        onState: (next) => {
          isLive = next === "live";
          setState(next);
          lookIfOwed();
        },
        onEvent: (note) => {
          latest.current.onEvent(note);
          look();
        },
        onReset: look,
      },
    );
    connection.current = opened;

    const followVisibility = () => {
      if (document.visibilityState === "hidden") return opened.hide();
      opened.wake();
      lookIfOwed();
    };
    const keep = () => remember(path, { seq: opened.lastSeq(), paused: isPaused.current, at: Date.now() });
    followVisibility();
    document.addEventListener("visibilitychange", followVisibility);
    window.addEventListener("online", followVisibility);
    window.addEventListener("pagehide", keep);
    return () => {
      keep();
      clearTimeout(gathering);
      attention.stop();
      opened.end();
      document.removeEventListener("visibilitychange", followVisibility);
      window.removeEventListener("online", followVisibility);
      window.removeEventListener("pagehide", keep);
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
