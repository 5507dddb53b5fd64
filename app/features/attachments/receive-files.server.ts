import { tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { discardFiles } from "~/platform/form-actions.server";
import { checkFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import type { PostedForm } from "~/platform/read-form.server";
import type { UploadRules } from "~/platform/read-multipart.server";
import { type FileRoom, noRoomText, readMostFileRoom, roomLeft } from "./file-quota.server";
import { CHOOSE_AGAIN, fileProblem } from "./labels";
import { TICKET_FILES } from "./model";
import { receiveFile, type StoredFile } from "./store-attachment.server";

/** Each file is checked and stored as it arrives; without a valid token, or beyond a limit, no byte is kept. */
export function ticketUpload(ctx: Ctx, purposes: readonly string[]): UploadRules {
  let room: FileRoom | null = null;
  let arrived = 0;
  return {
    maxFileSize: TICKET_FILES.maxSize,
    decide: async ({ form_token: token }) => {
      const { signedIn, db, now } = ctx;
      if (!signedIn || !purposes.some((purpose) => checkFormToken(ctx, purpose, token).ok)) {
        return { accepted: false, reason: "token" };
      }
      const isStaff = signedIn.role !== "user";
      // Of which organization the ticket is, the command knows, and checks.
      const organizationIds = isStaff ? [null] : signedIn.organizations.map(({ organizationId }) => organizationId);
      const sender = { userId: signedIn.userId, side: isStaff ? "staff" : "client" } as const;
      const [limit, most] = await Promise.all([
        takeLimit(db, "files_user", signedIn.userId, now()),
        organizationIds.length > 0 ? readMostFileRoom(ctx, sender, organizationIds) : null,
      ]);
      if (!limit.allowed) return { accepted: false, reason: "limited", retryAt: limit.retryAt };
      if (most && roomLeft(most) === 0) return { accepted: false, reason: "full", message: noRoomText(most) };
      room = most;
      return { accepted: true };
    },
    stored: {
      maxFiles: TICKET_FILES.maxFiles,
      receive: (fileName) => {
        const file = receiveFile(ctx, fileName, TICKET_FILES);
        let hasRoom = true;
        return {
          abort: file.abort,
          write: async (bytes) => {
            arrived += bytes.byteLength;
            hasRoom &&= !room || arrived <= roomLeft(room);
            await (hasRoom ? file.write(bytes) : file.abort());
          },
          end: () =>
            hasRoom || !room ? file.end() : Promise.resolve({ fileName, error: "full", message: noRoomText(room) }),
        };
      },
    },
  };
}

/** If the form is refused none is kept: a browser never sends a file twice, so the person chooses them again. */
export function receivedFiles(
  ctx: Pick<Ctx, "after" | "files" | "now">,
  { upload }: Pick<PostedForm, "upload">,
): { files: StoredFile[]; error: null } | { files: []; error: string } {
  const error = problemOf(ctx, upload);
  if (error === null) return { files: storedFiles(upload), error };
  discardFiles(ctx, { upload });
  return { files: [], error };
}

function problemOf({ now }: Pick<Ctx, "now">, upload: PostedForm["upload"]): string | null {
  if (!upload) return null;
  const { decision, stored } = upload;
  if (!decision.accepted) {
    if (decision.reason === "full") return decision.message;
    return decision.reason === "limited" ? tooManyAttempts(decision.retryAt, now()) : CHOOSE_AGAIN;
  }
  for (const file of stored) if (file.error !== null) return fileProblem(file);
  return null;
}

export const storedFiles = (upload: PostedForm["upload"]): StoredFile[] =>
  (upload?.stored ?? []).flatMap(({ fileName, ...file }) => {
    if (file.error !== null) return [];
    const { key, kind, size, sha256 } = file;
    return [{ name: fileName, key, kind, size, sha256 }];
  });
