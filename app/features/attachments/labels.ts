import type { StoredUpload } from "~/platform/read-multipart.server";
import { TICKET_FILES } from "./model";

export const CHOOSE_AGAIN = "Your files were not saved. Choose them again and send the form once more.";

export const fileProblem = (upload: Exclude<StoredUpload, { error: null }>): string =>
  upload.error === "full" ? upload.message : PROBLEMS[upload.error](upload.fileName);

const PROBLEMS: Record<Exclude<StoredUpload["error"], "full" | null>, (name: string) => string> = {
  too_many: () => `At most ${TICKET_FILES.maxFiles} files go with one message.`,
  too_large: (name) => `"${name}" is larger than 10 MB.`,
  unavailable: (name) => `"${name}" could not be stored just now. Try again in a minute.`,
  empty: (name) => `"${name}" is empty.`,
  not_accepted: (name) =>
    `"${name}" cannot be sent here. PDF, Office, text and image files can, if their content matches their name.`,
};
