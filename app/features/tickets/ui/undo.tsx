import { useEffect, useRef, useState } from "react";
import { Form } from "~/ui/form";
import { SentNotice } from "~/ui/sent-notice";
import { TextButton } from "~/ui/text-button";
import { VisuallyHidden } from "~/ui/visually-hidden";

/** Describes a reply that can be taken back: for how many milliseconds, and until what time of the site's clock. */
export type Undoable = { id: string; left: number; until: string };

/** Names the form of the button, which stands inside the form of the reply. */
const FORM = "undo-reply";

type UndoFormProps = { undoable: Undoable; path: string; token: string; organizationId?: string };

/**
 * Holds what the button of `SentReply` sends, beside the form of the reply. The page is loaded anew, with the draft.
 */
export const UndoForm = ({ undoable, path, token, organizationId }: UndoFormProps) => (
  <Form id={FORM} action={path} token={token} name="undo" reloadDocument>
    <input type="hidden" name="message" value={undoable.id} />
    {organizationId ? <input type="hidden" name="organization_id" value={organizationId} /> : null}
  </Form>
);

/** Says that a reply was sent, and takes it back as long as that works; null: it does not, or not any more. */
export const SentReply = ({ undoable }: { undoable: Undoable | null }) => (
  <SentNotice>{undoable ? <Undo key={undoable.id} {...undoable} /> : null}</SentNotice>
);

/**
 * Says without scripts until when the reply can be taken back, with them how long that is, and goes when it is over.
 */
function Undo({ left, until }: Undoable) {
  const [remaining, setRemaining] = useState<number | null>(null);
  const countdown = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const end = performance.now() + left;
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
      const line = countdown.current?.closest<HTMLElement>("[data-sent]");
      // With the button the focus would be gone.
      if (seconds === 0 && line?.contains(document.activeElement)) {
        line.tabIndex = -1;
        line.focus({ preventScroll: true });
      }
      setRemaining(seconds);
    };
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [left]);
  if (remaining === 0) return null;
  return (
    <>
      <span aria-hidden="true">·</span>
      <TextButton type="submit" form={FORM} name="intent" value="undo">
        Undo<VisuallyHidden> this reply before its mail leaves</VisuallyHidden>
      </TextButton>
      <span ref={countdown} className="text-ink-2 tabular-nums">
        {remaining === null ? `until ${until}` : `${remaining} s`}
      </span>
    </>
  );
}
