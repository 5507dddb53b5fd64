import { fileSize } from "~/lib/text";

/** Nobody has scanned the file, and it says so before it is opened. */
export const FileLink = ({ name, bytes, path }: { name: string; bytes: number; path: string }) => (
  <>
    <a href={path}>{name}</a> <span className="text-ink-3 text-sm">{fileSize(bytes)} · not virus-scanned</span>
  </>
);
