import { SubmitButton } from "~/ui/form";
import { useEnhancement } from "~/ui/use-enhancement";
import { DRAFT_SAVED } from "../labels";

const load = async () => (await import("../conversation/keep-draft.client")).keepDraft;

type DraftButtonsProps = {
  /** Tells whether a draft is kept already. */
  isKept: boolean;
  /** Names the intents of the form: to keep what was typed, to do so by itself, and to throw it away. */
  names: { save: string; autosave: string; discard: string };
  /** Tells whether the draft was kept just now, and the form is as it was. */
  isSaved?: boolean;
};

/** Shows the buttons that keep what was typed for later; with scripts it is kept by itself after a pause. */
export function DraftButtons({ isKept, names: { save, autosave, discard }, isSaved }: DraftButtonsProps) {
  return (
    <>
      <span ref={useEnhancement<HTMLSpanElement>(load)} data-intent={autosave} hidden />
      <SubmitButton variant="quiet" size="sm" name="intent" value={save} pendingLabel="Saving...">
        Save draft
      </SubmitButton>
      {isKept ? (
        <SubmitButton variant="quiet" size="sm" name="intent" value={discard} pendingLabel="Deleting...">
          Delete draft
        </SubmitButton>
      ) : null}
      {isSaved ? (
        <span className="text-sm" role="status">
          {DRAFT_SAVED.title}. {DRAFT_SAVED.message}
        </span>
      ) : null}
    </>
  );
}
