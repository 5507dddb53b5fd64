import { useEnhancement } from "~/ui/use-enhancement";

const load = async () => (await import("../presence/watch-presence.client")).watchPresence;

/** Keeps a line for who else of the staff has the ticket open. It stays empty without scripts. */
export function Presence({ ticketId }: { ticketId: string }) {
  return (
    <p
      ref={useEnhancement<HTMLParagraphElement>(load)}
      className="-my-2 h-[1.45em] max-w-none truncate text-ink-2 text-sm print:hidden"
      data-ticket={ticketId}
      aria-live="polite"
    />
  );
}
