import { useEffect, useState } from "react";
import { DeliveryState } from "~/ui/delivery-state";
import { Form } from "~/ui/form";
import { TextButton } from "~/ui/text-button";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { MessageDelivery } from "../model";

type MailStateProps = {
  message: string;
  delivery: MessageDelivery | undefined;
  /** Says for how many milliseconds the reader can still take the reply back. */
  undoableFor: number;
  path: string;
  tokens: { retry_mail: string | null; undo: string | null };
};

/** Shows where the mails about a reply are; sends those again that were not delivered, or takes the reply back. */
export function MailState({ message, delivery, undoableFor, path, tokens }: MailStateProps) {
  const canUndo = useUndoable(undoableFor);
  const [intent, label, about] = canUndo
    ? (["undo", "Undo", "this reply before its mail leaves"] as const)
    : (["retry_mail", "Retry", "the mail about this reply"] as const);
  const token = canUndo || delivery?.state === "failed" ? tokens[intent] : null;
  return (
    <>
      {delivery ? <DeliveryState {...delivery} /> : null}
      {token ? (
        // The page is loaded anew: with the text as a draft.
        <Form action={path} token={token} name={intent} reloadDocument className="print:hidden">
          <input type="hidden" name="message" value={message} />
          <TextButton type="submit" name="intent" value={intent}>
            {label}
            <VisuallyHidden> {about}</VisuallyHidden>
          </TextButton>
        </Form>
      ) : null}
    </>
  );
}

/** Offers to take a reply back only as long as that works, where scripts run. */
function useUndoable(undoableFor: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (undoableFor <= 0) return;
    const timer = setTimeout(() => setOver(true), undoableFor);
    return () => clearTimeout(timer);
  }, [undoableFor]);
  return undoableFor > 0 && !isOver;
}
