import { useEnhancement } from "~/ui/use-enhancement";

/**
 * Warns while somebody types what looks like a password or a card number. Without scripts the server asks when the form
 * around is sent, as it does anyway; what it asks is not said here as well.
 */
export function SecretWarning() {
  const line = useEnhancement<HTMLParagraphElement>(async () => (await import("../watch-secrets.client")).watchSecrets);
  return (
    <p
      ref={line}
      className="border-warning-line border-l-4 pl-2 text-sm text-warning empty:sr-only [form:has([name=secret])_&]:hidden"
      role="status"
    />
  );
}
