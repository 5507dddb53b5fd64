/** Limits the size of the one document the contact form takes. */
export const CONTACT_FILE_MAX_BYTES = 5 * 1024 * 1024;

/** Returns the address from which staff download a file. */
export const attachmentPath = (id: string): string => `/admin/attachments/${id}`;

export type DocumentKind = "pdf" | "doc" | "docx";

/**
 * Returns a file's name as it is stored: no folders, no control or direction-changing characters, at most
 * 120 characters.
 */
export function safeFileName(name: string): string {
  const base = name.normalize("NFKC").split(/[/\\]/).at(-1) ?? "";
  const clean = base.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  if (clean.length <= 120) return clean || "document";
  const extension = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? "";
  return clean.slice(0, 120 - extension.length) + extension;
}
