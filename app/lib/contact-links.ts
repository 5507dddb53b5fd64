/**
 * Returns the link that writes to an address. Each part is encoded (RFC 6068): stored text that contains `?bcc=` or
 * `&subject=` names a strange recipient, and adds no field to the mail.
 */
export const mailtoHref = (email: string): string => `mailto:${email.split("@").map(encodeURIComponent).join("@")}`;

/** Returns the link that dials a number as it was typed: its digits, and a plus where the number starts with one. */
export function telHref(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return `tel:${phone.trim().startsWith("+") ? "+" : ""}${digits}`;
}
