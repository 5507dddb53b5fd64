import { useEnhancement } from "~/ui/use-enhancement";

const load = async () => (await import("../watch-secrets.client")).watchSecrets;

/**
 * Warns while somebody types what looks like a password or a card number. Without scripts the server asks when the form
 * around is sent, as it does anyway; what it asks is not said here as well.
 */
export function SecretWarning() {
  return (
    <p
      ref={useEnhancement<HTMLParagraphElement>(load)}
      className="text-sm text-warning empty:sr-only [form:has([name=secret])_&]:hidden"
      role="status"
    />
  );
}
