/** Each part is encoded (RFC 6068): stored text with `?bcc=` or `&subject=` adds no field to the mail. */
export const mailtoHref = (email: string): string => `mailto:${email.split("@").map(encodeURIComponent).join("@")}`;

export function telHref(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return `tel:${phone.trim().startsWith("+") ? "+" : ""}${digits}`;
}
