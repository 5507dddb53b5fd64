export const EMAIL_MAX = 254;

/**
 * The form in which an address is stored and compared: trimmed, lower case, domain in ASCII (IDNA). Text that is not an
 * address comes back trimmed and lower-cased only.
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

/** Whether text looks like an address: something, an @, a domain with a dot, no white space. Linear in its length. */
export function looksLikeEmail(text: string): boolean {
  const parts = text.trim().split("@");
  const [local, domain] = parts;
  if (parts.length !== 2 || !local || !domain || /[\s\p{Cc}]/u.test(text.trim())) return false;
  const labels = domain.split(".");
  return labels.length >= 2 && labels.every((label) => label !== "");
}

/**
 * Whether text is one address and nothing else. Stricter than what a form accepts: a comma or a bracket is legal in
 * quoted local parts, but a mail system that takes lists would read it as a second recipient.
 */
export const isSingleAddress = (text: string): boolean => looksLikeEmail(text) && /^[^\s,;:<>()[\]\\"]+$/.test(text);
