import { fileSize } from "~/lib/text";
import { Field } from "~/ui/field";
import { FileInput } from "~/ui/file-input";
import { usePostedResult } from "~/ui/form-answer";
import { type AttachedFile, acceptedExtensions, inlinePath, TICKET_FILES } from "./model";

type FileListProps = {
  files: readonly AttachedFile[];
  pathOf: (id: string) => string;
};

/** Nobody has scanned them, and it says so. */
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

type FilesFieldProps = {
  error?: string;
  /** Tells whether the form came back. Where that was a new document, the browser has forgotten what was chosen. */
  isBack?: boolean;
  id?: string;
  room?: string | null;
};

/** Takes the files of a message on a ticket. Its form has `encType="multipart/form-data"`. */
export function FilesField({ error, isBack = false, id, room = null }: FilesFieldProps) {
  const isForgotten = usePostedResult() !== undefined && isBack;
  return (
    <Field
      id={id}
      name="files"
      label="Files"
      hint={
        <>
          Up to {TICKET_FILES.maxFiles}, 10 MB each: PDF, Office, text, images.
          {isForgotten ? " Choose them again if you still want to attach them." : ""}
          {room ? <b className="block text-ink">{room}</b> : null}
        </>
      }
      error={error}
      optional
    >
      <FileInput accept={ACCEPT} multiple />
    </Field>
  );
}

const ACCEPT = acceptedExtensions(TICKET_FILES);
