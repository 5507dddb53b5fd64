import { useEffect, useRef, useState } from "react";
import { TextButton } from "~/ui/button";
import { Form, SentNotice } from "~/ui/form";
import { VisuallyHidden } from "~/ui/text";
import type { SentElsewhere, Undoable } from "./model";

/** A page may offer two: of its ticket, and of the one that its reader came from. */
const formOf = ({ id }: Undoable) => `undo-${id}`;

type UndoFormProps = { undoable: Undoable; path: string; token: string; organizationId?: string };

/** The page is loaded anew, with the draft. */
export const UndoForm = ({ undoable, path, token, organizationId }: UndoFormProps) => (
  <Form id={formOf(undoable)} action={path} token={token} name="undo" reloadDocument>
    <input type="hidden" name="message" value={undoable.id} />
    {organizationId ? <input type="hidden" name="organization_id" value={organizationId} /> : null}
  </Form>
);

/** Says that a reply was sent, and takes it back as long as that works; null: it does not, or not any more. */
export const SentReply = ({ undoable, label }: { undoable: Undoable | null; label?: string }) => (
  <SentNotice label={label}>{undoable ? <Undo key={undoable.id} {...undoable} /> : null}</SentNotice>
);

/**
 * Says without scripts until when the reply can be taken back, with them how long that is, and goes when it is over.
 */
function Undo(undoable: Undoable) {
  const { left, until } = undoable;
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
      <TextButton type="submit" form={formOf(undoable)} name="intent" value="undo">
        Undo<VisuallyHidden> this reply before its mail leaves</VisuallyHidden>
      </TextButton>
      <span ref={countdown} className="text-ink-2 tabular-nums">
        {remaining === null ? `until ${until}` : `${remaining} s`}
      </span>
    </>
  );
}

/** Takes back what was sent on the page one came from. */
export function SentBefore({ sent, token }: { sent: SentElsewhere | null; token: string | null }) {
  if (!sent || !token) return null;
  return (
    <div className="clear-both mb-3 print:hidden">
      <SentReply undoable={sent.undoable} label={`Sent to ${sent.reference}`} />
      <UndoForm undoable={sent.undoable} path={sent.path} token={token} />
    </div>
  );
}
