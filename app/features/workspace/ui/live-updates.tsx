import { useCallback, useState } from "react";
import { submissionPath } from "~/features/submissions/subject";
import type { LiveEventFrame } from "~/live/protocol";
import { useLive } from "~/live/use-live";
import { LiveToast } from "~/ui/live-toast";
import { LIVE_PAUSED, NEW_SUBMISSION_TITLE } from "../copy";
import { LIVE_PANEL_SIZE, type LiveUpdate, liveUpdate, mergeUpdates, STAFF_LIVE_PATH } from "../live-update";
import { LivePanel } from "./live-panel";

type LiveUpdatesProps = {
  /** Lists the updates as the server has read them, newest first. */
  updates: readonly LiveUpdate[];
  /** Names the newest event the server knew of when it made the list. */
  lastSeq: number;
  zone: string;
  token: string;
  /** Holds the address of the page, for coming back after a dismissal and for Refresh. */
  path: string;
};

/**
 * Shows the live panel, which stays up to date once the page runs scripts. Before that, and without them, it is the
 * list that the server made, and every update can be dismissed with a plain form.
 */
export function LiveUpdates({ updates, lastSeq, zone, token, path }: LiveUpdatesProps) {
  const [received, setReceived] = useState<readonly LiveUpdate[]>([]);
  const [newSubmission, setNewSubmission] = useState<LiveEventFrame | null>(null);
  const closeToast = useCallback(() => setNewSubmission(null), []);
  const { state, isStale, pause, resume } = useLive(STAFF_LIVE_PATH, {
    lastSeq,
    onEvent: (event) => {
      const update = liveUpdate({ ...event, at: Date.parse(event.at) });
      setReceived((before) => [update, ...before].slice(0, LIVE_PANEL_SIZE));
      if (event.type === "new_submission") setNewSubmission(event);
    },
  });
  const controls = {
    connecting: null,
    live: { label: "Pause", act: pause },
    paused: { label: "Resume", act: resume },
  };
  return (
    <>
      <LiveToast toast={newSubmission && toastFor(newSubmission)} onClose={closeToast} />
      <LivePanel
        updates={mergeUpdates(updates, lastSeq, received)}
        zone={zone}
        token={token}
        paused={state === "paused" || isStale ? LIVE_PAUSED : null}
        control={controls[state]}
        path={path}
      />
    </>
  );
}

const toastFor = ({ seq, id, label }: LiveEventFrame) => ({
  key: seq,
  title: NEW_SUBMISSION_TITLE,
  message: label,
  to: submissionPath(id),
});
