import { useEffect, useRef, useState } from "react";
import type { TicketStatus } from "../model";

type SeenMessagesProps = {
  /** Counts the public messages that the page shows now; it may read new ones at any time. */
  shown: number;
  /** Counts the messages that were seen when the text was begun, where that is known already. */
  pinned?: number;
  /** Names the status that the page shows now, where a reply must not come after the end of the ticket unnoticed. */
  status?: TicketStatus;
};

/**
 * Sends how many messages the author had seen when they began to write, and the status. A page that refreshes itself
 * shows later ones, but whoever is writing may not look up.
 */
export function SeenMessages({ shown, pinned, status }: SeenMessagesProps) {
  const [begun, setBegun] = useState(pinned === undefined ? undefined : { messages: pinned, status });
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = input.current?.form;
    const begin = () => setBegun((before) => before ?? { messages: shown, status });
    form?.addEventListener("input", begin);
    return () => form?.removeEventListener("input", begin);
  }, [shown, status]);
  const seen = begun ?? { messages: shown, status };
  return (
    <>
      <input ref={input} type="hidden" name="begun_at_message" value={seen.messages} readOnly />
      {seen.status ? <input type="hidden" name="begun_at_status" value={seen.status} readOnly /> : null}
    </>
  );
}
