import { useState } from "react";
import { submissionPath } from "~/features/submissions/subject";
import type { LiveEventFrame } from "~/live/protocol";
import { useLive } from "~/live/use-live";
import { LiveToast } from "~/ui/live-toast";
import { LIVE_PAUSED, NEW_SUBMISSION_TITLE } from "../copy";
import { LIVE_PANEL_SIZE, type LiveUpdate, liveUpdate, withArrivals } from "../live-update";
import { LivePanel } from "./live-panel";

type LiveUpdatesProps = {
  /** As the server has read them, newest first. */
  entries: readonly LiveUpdate[];
  /** The newest event the server knew of when it made the list. */
  lastSeq: number;
  zone: string;
  token: string;
  /** Address of the page, for coming back after a dismissal and for Refresh. */
  path: string;
};

/**
 * Shows the live panel, kept fresh once the page runs scripts. Before that, and without them, it is the list the server
 * made, and every entry can be dismissed with a plain form.
 */
export function LiveUpdates({ entries, lastSeq, zone, token, path }: LiveUpdatesProps) {
  const [arrived, setArrived] = useState<readonly LiveUpdate[]>([]);
  const [submission, setSubmission] = useState<LiveEventFrame | null>(null);
  const { state, pause, resume } = useLive("/admin/live", {
    lastSeq,
    onEvent: (note) => {
      const update = liveUpdate({ ...note, at: Date.parse(note.at) });
      setArrived((before) => [update, ...before].slice(0, LIVE_PANEL_SIZE));
      if (note.type === "new_submission") setSubmission(note);
    },
  });
  const controls = {
    connecting: null,
    live: { label: "Pause", act: pause },
    paused: { label: "Resume", act: resume },
  };
  return (
    <>
      <LivePanel
        entries={withArrivals(entries, lastSeq, arrived)}
        zone={zone}
        token={token}
        paused={state === "paused" ? LIVE_PAUSED : null}
        control={controls[state]}
        path={path}
      />
      <LiveToast toast={submission && toastFor(submission)} onClose={() => setSubmission(null)} />
    </>
  );
}

const toastFor = ({ seq, id, label }: LiveEventFrame) => ({
  key: seq,
  title: NEW_SUBMISSION_TITLE,
  message: label,
  to: submissionPath(id),
});
