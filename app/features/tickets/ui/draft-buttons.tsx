import { useEffect, useRef } from "react";
import { SubmitButton } from "~/ui/form";

type DraftButtonsProps = {
  /** A draft is kept already. */
  isKept: boolean;
  /** Intents of the form: to keep what was typed, to do so by itself, and to throw it away. */
  names: { save: string; autosave: string; discard: string };
};

/** Shows the buttons that keep what was typed for later; with scripts it is kept by itself after a pause. */
export function DraftButtons({ isKept, names: { save, autosave, discard } }: DraftButtonsProps) {
  return (
    <>
      <Autosave intent={autosave} />
      <SubmitButton variant="quiet" size="sm" name="intent" value={save} pendingLabel="Saving...">
        Save draft
      </SubmitButton>
      {isKept ? (
        <SubmitButton variant="quiet" size="sm" name="intent" value={discard} pendingLabel="Deleting...">
          Delete draft
        </SubmitButton>
      ) : null}
    </>
  );
}

/** Sets how long nobody must have typed before the text is kept, in milliseconds. */
const PAUSE = 4_000;

/** Keeps what was typed in the form around it. Files are left out; what fails is tried again after the next letter. */
function Autosave({ intent }: { intent: string }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = mark.current?.closest("form");
    if (!form) return;
    let timer = 0;
    const stop = () => clearTimeout(timer);
    const keep = () => {
      const body = new FormData(form);
      body.delete("files");
      body.set("intent", intent);
      fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
    };
    const wait = () => {
      stop();
      timer = window.setTimeout(keep, PAUSE);
    };
    form.addEventListener("input", wait);
    form.addEventListener("submit", stop);
    return () => {
      stop();
      form.removeEventListener("input", wait);
      form.removeEventListener("submit", stop);
    };
  }, [intent]);
  return <span ref={mark} hidden />;
}
