import { useEnhancement } from "~/ui/use-enhancement";

/** Keeps a line for who else of the staff has the ticket open. It stays empty without scripts. */
export function Presence({ ticketId }: { ticketId: string }) {
  const line = useEnhancement<HTMLParagraphElement>(async () => {
    const { watchPresence } = await import("../presence/watch-presence.client");
    return watchPresence(ticketId);
  });
  return (
    <p ref={line} className="-my-2 h-[1.45em] max-w-none truncate text-ink-2 text-sm print:hidden" aria-live="polite" />
  );
}
