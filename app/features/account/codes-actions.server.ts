import { ownCodes } from "~/features/auth/factors.server";
import { backupCodesFile } from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { fold } from "~/lib/text";
import { badRequest, download, rateLimited } from "~/platform/action-result";
import type { SignedIn } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/**
 * Returns backup codes as a text file. Only their hashes are stored, so the form posts the shown codes back, and only
 * those of the person's own set are returned.
 */
export const codesActions = formActions<SignedIn, null, null>({ intentField: null })({
  download: {
    purpose: ACCOUNT_PURPOSE,
    invalid: badRequest,
    run: async (ctx, signedIn, { fields }) => {
      const limit = await takeLimit(ctx.db, "codes_user", signedIn.userId, ctx.now());
      if (!limit.allowed) return rateLimited(limit.retryAt, null);
      const codes = await ownCodes(ctx, signedIn.userId, (fields.codes ?? "").split(/\s+/));
      const generated = new Date(ctx.now()).toISOString().replace("T", " ").slice(0, 19);
      const { totpIssuer } = await effectiveBrand(ctx);
      return download({
        fileName: `${fileNamePrefix(totpIssuer)}backup-codes.txt`,
        contentType: "text/plain; charset=utf-8",
        content: backupCodesFile(codes, totpIssuer, signedIn.email, `${generated} UTC`),
      });
    },
  },
});

/** Converts a name to a prefix of a file name in ASCII: "Ångström IT" → "angstrom-it-". */
function fileNamePrefix(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  return words ? `${words.join("-")}-` : "";
}
