import { useEffect, useRef, useState } from "react";

type SeenMessagesProps = {
  /**
   * Counts the public messages that the page shows now, which may read new ones at any time; for staff with the status
   * of the ticket, "3 open", and beside the question whether it is solved with when it ended, "3 17000".
   */
  shown: number | string;
  /** Says what was seen when the text was begun, in the same way, where that is known already. */
  pinned?: number | string;
};

/**
 * Sends how many messages the author had seen when they began to write. A page that refreshes itself shows later ones,
 * but whoever is writing may not look up.
 */
export function SeenMessages({ shown, pinned }: SeenMessagesProps) {
  const [begun, setBegun] = useState(pinned);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = input.current?.form;
    const begin = () => setBegun((before) => before ?? shown);
    form?.addEventListener("input", begin);
    return () => form?.removeEventListener("input", begin);
  }, [shown]);
  return <input ref={input} type="hidden" name="begun_at_message" value={begun ?? shown} readOnly />;
}
