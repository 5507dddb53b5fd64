import { tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { checkFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limit.server";
import type { PostedForm } from "~/platform/read-form.server";
import type { StoredUpload, UploadDecision, UploadRules } from "~/platform/read-multipart.server";
import { CHOOSE_AGAIN, fileProblem } from "./copy";
import { inspectFile } from "./inspect-file.server";
import { TICKET_FILES } from "./model";
import { type StoredFile, storeFile } from "./store-attachment.server";

/**
 * Returns how a form with files of a ticket is read, for the `reading` of its page's table: each file is checked and
 * stored as it arrives. Without a valid token, and beyond the person's limit, no byte is kept. `purposes`: those of the
 * page's forms that take files.
 */
export const ticketUpload = (ctx: Ctx, purposes: readonly string[]): UploadRules => ({
  maxFileSize: TICKET_FILES.maxSize,
  decide: ({ form_token: token }) => decideUpload(ctx, purposes, token),
  several: { maxFiles: TICKET_FILES.maxFiles, store: (file) => checkAndStore(ctx, file) },
});

async function decideUpload(ctx: Ctx, purposes: readonly string[], token: string | undefined): Promise<UploadDecision> {
  if (!ctx.signedIn || !purposes.some((purpose) => checkFormToken(ctx, purpose, token).ok)) {
    return { accepted: false, reason: "token" };
  }
  const limit = await takeLimit(ctx.db, "files_user", ctx.signedIn.userId, ctx.now());
  return limit.allowed ? { accepted: true } : { accepted: false, reason: "limited", retryAt: limit.retryAt };
}

async function checkAndStore(ctx: Pick<Ctx, "files">, file: File): Promise<StoredUpload> {
  if (file.size === 0) return { fileName: file.name, error: "empty" };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const inspected = inspectFile(file.name, bytes, TICKET_FILES);
  if (!inspected.ok) return { fileName: file.name, error: "not_accepted" };
  const { name, ...stored } = await storeFile(ctx, { name: file.name, kind: inspected.value, bytes });
  return { ...stored, fileName: name, error: null };
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

const storedFiles = (upload: PostedForm["upload"]): StoredFile[] =>
  (upload?.stored ?? []).flatMap(({ fileName: name, ...file }) => (file.error === null ? [toFile(name, file)] : []));

const toFile = (name: string, { key, kind, size, sha256 }: Omit<StoredFile, "name">): StoredFile => ({
  name,
  key,
  kind,
  size,
  sha256,
});
