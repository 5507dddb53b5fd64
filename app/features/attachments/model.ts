const MIB = 1024 * 1024;

const FILE_KINDS = [
  ...(["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "txt", "log", "csv"] as const),
  ...(["png", "jpg", "webp", "gif"] as const),
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const OTHER_EXTENSIONS: Partial<Record<FileKind, readonly string[]>> = { jpg: ["jpg", "jpeg"] };

export const extensionsOf = (kind: FileKind): readonly string[] => OTHER_EXTENSIONS[kind] ?? [kind];

export type FileRules = { maxFiles: number; maxSize: number; kinds: readonly FileKind[] };

export const CONTACT_FILES: FileRules = { maxFiles: 1, maxSize: 5 * MIB, kinds: ["pdf", "doc", "docx"] };

export const TICKET_FILES: FileRules = { maxFiles: 5, maxSize: 10 * MIB, kinds: FILE_KINDS };

export const acceptedExtensions = ({ kinds }: FileRules): string =>
  kinds
    .flatMap(extensionsOf)
    .map((extension) => `.${extension}`)
    .join(",");

export const IMAGE_TYPES: Partial<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
};

export type AttachedFile = { id: string; name: string; size: number; isImage: boolean };

export const attachmentPath = (id: string): string => `/admin/attachments/${id}`;
export const clientAttachmentPath = (id: string): string => `/client/attachments/${id}`;

export const inlinePath = (path: string): string => `${path}?inline`;

/** No folders, no control or direction-changing characters, at most 120 characters. */
export function safeFileName(name: string): string {
  const base = name.normalize("NFKC").split(/[/\\]/).at(-1) ?? "";
  const clean = base.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  if (clean.length <= 120) return clean || "document";
  const extension = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? "";
  return clean.slice(0, 120 - extension.length) + extension;
}
