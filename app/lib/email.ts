export const EMAIL_MAX = 254;

/**
 * Returns an address as it is stored and compared: trimmed, lower case, domain in ASCII (IDNA). Text that is not an
 * address is only trimmed and lower-cased.
 */
export function normalizeEmail(text: string): string {
  const trimmed = text.trim().toLowerCase();
  const at = trimmed.lastIndexOf("@");
  if (at < 1) return trimmed;
  try {
    return `${trimmed.slice(0, at)}@${new URL(`http://${trimmed.slice(at + 1)}`).hostname}`;
  } catch {
    return trimmed;
  }
}

/** Tells whether text looks like an address: a local part, an @, a domain with a dot, no white space. Linear time. */
export function looksLikeEmail(text: string): boolean {
  const parts = text.trim().split("@");
  const [local, domain] = parts;
  if (parts.length !== 2 || !local || !domain || /[\s\p{Cc}]/u.test(text.trim())) return false;
  const labels = domain.split(".");
  return labels.length >= 2 && labels.every((label) => label !== "");
}

/**
 * Tells whether text is exactly one address. Stricter than what a form accepts: a comma or a bracket is legal in a
 * quoted local part, but a mail system that accepts lists would read it as a second recipient.
 */
export const isSingleAddress = (text: string): boolean => looksLikeEmail(text) && /^[^\s,;:<>()[\]\\"]+$/.test(text);
