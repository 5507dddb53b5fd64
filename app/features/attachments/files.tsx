import { Field, FileInput, usePostedResult } from "~/ui/form";
import { acceptedExtensions, TICKET_FILES } from "./model";

type FilesFieldProps = {
  error?: string;
  /** Where that was a new document, the browser has forgotten what was chosen. */
  isBack?: boolean;
  id?: string;
  room?: string | null;
};

/** Its form has `encType="multipart/form-data"`. */
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
