import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { PageConnection } from "./connect-page.client";
import type { LiveState } from "./connection";
import { pageRefresh } from "./page-refresh";
import type { LiveEventFrame } from "./protocol";

/**
 * `isStale`: the page shows what it had because it could not be read again, which is tried again soon. No page waits
 * for the script that connects it.
 */
export function useLive(
  path: string,
  { lastSeq, onEvent }: { lastSeq: number; onEvent: (event: LiveEventFrame) => void },
) {
  const [state, setState] = useState<LiveState>("connecting");
  const [round, setRound] = useState(0);
  const { revalidate, state: refreshState } = useRevalidator();
  const [isStale, setStale] = useState(false);
  const connection = useRef<PageConnection | null>(null);
  const isNavigating = useNavigation().state !== "idle";
  const latest = useRef({ lastSeq, onEvent, revalidate, isNavigating });
  latest.current = { lastSeq, onEvent, revalidate, isNavigating };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round loads the script again
  useEffect(() => {
    let isGone = false;
    const connect = ({ connectPage }: typeof import("./connect-page.client")) => {
      if (isGone) return;
      connection.current = connectPage(path, {
        lastSeq: () => latest.current.lastSeq,
        onState: setState,
        onEvent: (event) => latest.current.onEvent(event),
        onStale: () => setStale(true),
        refresh: () => {
          // Running the loaders now would restart the navigation.
          if (latest.current.isNavigating) return false;
          pageRefresh.hasFailed = false;
          latest.current.revalidate();
          return true;
        },
      });
    };
    import("./connect-page.client").then(connect, () => setState("paused"));
    return () => {
      isGone = true;
      connection.current?.end();
      connection.current = null;
    };
  }, [path, round]);

  useEffect(() => {
    if (refreshState === "idle") setStale(pageRefresh.hasFailed);
  }, [refreshState]);

  const pause = useCallback(() => connection.current?.pause(), []);
  const resume = useCallback(() => {
    if (connection.current) return connection.current.resume();
    setState("connecting");
    setRound((before) => before + 1);
  }, []);
  return { state, isStale, pause, resume };
}
