export const EMAIL_MAX = 254;

/** Text that is not an address is only trimmed and lower-cased. */
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

/** Matches what a local part must not contain unless it is quoted, and what starts the fields of a `mailto:` link. */
const NOT_IN_LOCAL_PART = /[\s\p{Cc}\p{Cf},;:<>()[\]\\"?&#]/u;
const DOMAIN_LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

/**
 * Linear time. Quoted local parts are rejected, so a comma, a bracket, `?`, `&` and `#` never occur: mail systems
 * would read a second recipient behind a comma, and links fields behind a question mark.
 */
export function isEmailAddress(text: string): boolean {
  const [local, domain, ...rest] = text.trim().split("@");
  if (!local || !domain || rest.length > 0 || NOT_IN_LOCAL_PART.test(local)) return false;
  const labels = domain.split(".");
  return labels.length >= 2 && labels.every((label) => DOMAIN_LABEL.test(label));
}

const DOTS_IGNORED: Readonly<Record<string, string>> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/** For limits on mails only; accounts are told apart by the address as it is. */
export function mailboxOf(email: string): string {
  const normal = normalizeEmail(email);
  const at = normal.lastIndexOf("@");
  const [base = ""] = normal.slice(0, at).split("+");
  if (at < 1 || base === "") return normal;
  const domain = normal.slice(at + 1);
  const dotless = Object.hasOwn(DOTS_IGNORED, domain) ? DOTS_IGNORED[domain] : null;
  return dotless ? `${base.replaceAll(".", "")}@${dotless}` : `${base}@${domain}`;
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/** Each part is encoded (RFC 6068): stored text with `?bcc=` or `&subject=` adds no field to the mail. */
export const mailtoHref = (email: string): string => `mailto:${email.split("@").map(encodeURIComponent).join("@")}`;

export function telHref(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return `tel:${phone.trim().startsWith("+") ? "+" : ""}${digits}`;
}
