import { tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { checkFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limit.server";
import type { PostedForm } from "~/platform/read-form.server";
import type { UploadDecision, UploadRules } from "~/platform/read-multipart.server";
import { CHOOSE_AGAIN, fileProblem } from "./copy";
import { TICKET_FILES } from "./model";
import { receiveFile, type StoredFile } from "./store-attachment.server";

/**
 * Returns how a form with files of a ticket is read, for the `reading` of its page's table: each file is checked and
 * stored as it arrives. Without a valid token, and beyond the person's limit, no byte is kept. `purposes`: those of the
 * page's forms that take files.
 */
export const ticketUpload = (ctx: Ctx, purposes: readonly string[]): UploadRules => ({
  maxFileSize: TICKET_FILES.maxSize,
  decide: ({ form_token: token }) => decideUpload(ctx, purposes, token),
  stored: { maxFiles: TICKET_FILES.maxFiles, receive: (fileName) => receiveFile(ctx, fileName, TICKET_FILES) },
});

async function decideUpload(ctx: Ctx, purposes: readonly string[], token: string | undefined): Promise<UploadDecision> {
  if (!ctx.signedIn || !purposes.some((purpose) => checkFormToken(ctx, purpose, token).ok)) {
    return { accepted: false, reason: "token" };
  }
  const limit = await takeLimit(ctx.db, "files_user", ctx.signedIn.userId, ctx.now());
  return limit.allowed ? { accepted: true } : { accepted: false, reason: "limited", retryAt: limit.retryAt };
}

/**
 * Returns the files of a posted form, or why it cannot be accepted with them: then none is kept, and the person chooses
 * them again, because a browser never sends a file twice.
 */
export function receivedFiles(
  ctx: Pick<Ctx, "after" | "files" | "now">,
  { upload }: Pick<PostedForm, "upload">,
): { files: StoredFile[]; error: null } | { files: []; error: string } {
  const error = problemOf(ctx, upload);
  if (error === null) return { files: storedFiles(upload), error };
  discardFiles(ctx, { upload });
  return { files: [], error };
}

/** Deletes the files of a form that is not accepted, after the response. */
export function discardFiles(ctx: Pick<Ctx, "after" | "files">, { upload }: Pick<PostedForm, "upload">): void {
  const keys = storedFiles(upload).map(({ key }) => key);
  if (keys.length > 0) ctx.after(ctx.files.delete(keys));
}

function problemOf({ now }: Pick<Ctx, "now">, upload: PostedForm["upload"]): string | null {
  if (!upload) return null;
  const { decision, stored } = upload;
  if (!decision.accepted) {
    return decision.reason === "limited" ? tooManyAttempts(decision.retryAt, now()) : CHOOSE_AGAIN;
  }
  const failed = stored.find(({ error }) => error !== null);
  return failed?.error ? fileProblem(failed.error, failed.fileName) : null;
}

/** Returns the stored files of a posted form, which belong to nothing yet. */
export const storedFiles = (upload: PostedForm["upload"]): StoredFile[] =>
  (upload?.stored ?? []).flatMap(({ fileName, ...file }) => {
    if (file.error !== null) return [];
    const { key, kind, size, sha256 } = file;
    return [{ name: fileName, key, kind, size, sha256 }];
  });
