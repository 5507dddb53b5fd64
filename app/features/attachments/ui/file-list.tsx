import { fileSize } from "~/lib/text";
import { type AttachedFile, inlinePath } from "../model";

type FileListProps = {
  files: readonly AttachedFile[];
  /** Returns the address of a download. */
  pathOf: (id: string) => string;
};

/**
 * Shows the files of a message: images as they are, and each as a download. Nobody has scanned them, and it says so.
 */
export function FileList({ files, pathOf }: FileListProps) {
  if (files.length === 0) return null;
  return (
    <ul className="mt-3 grid gap-2" aria-label="Files">
      {files.map(({ id, name, size, isImage }) => (
        <li key={id} className="wrap-anywhere grid justify-items-start gap-1">
          {isImage ? (
            <img
              className="max-h-80 max-w-full rounded-md border border-line"
              src={inlinePath(pathOf(id))}
              alt={name}
              loading="lazy"
            />
          ) : null}
          <span>
            <a href={pathOf(id)}>{name}</a>{" "}
            <span className="text-ink-3 text-sm">{fileSize(size)} · not virus-scanned</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
