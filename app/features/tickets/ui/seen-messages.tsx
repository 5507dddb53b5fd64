import { useEffect, useRef, useState } from "react";

type SeenMessagesProps = {
  /** Counts the public messages that the page shows now; it may read new ones at any time. */
  shown: number;
  /** Counts the messages that were seen when the text was begun, where that is known already. */
  pinned?: number;
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
