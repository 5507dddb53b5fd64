import { codesAsText } from "~/features/auth/factors/backup-codes";
import { ownCodes } from "~/features/auth/factors/prepare-backup-codes.server";
import { brandInForce } from "~/features/settings/brand-in-force.server";
import { fold } from "~/lib/text";
import { badRequest, download } from "~/platform/action-result";
import type { SignedIn } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/**
 * Gives out backup codes as a text file. Nothing readable of them is stored, so the form carries back what the page
 * showed, and only what belongs to the person's set is returned.
 */
export const codesActions = formActions<SignedIn, null, never>({ intentField: null })({
  download: {
    purpose: ACCOUNT_PURPOSE,
    invalid: badRequest,
    run: async (ctx, signedIn, { fields }) => {
      const codes = await ownCodes(ctx, signedIn.userId, (fields.codes ?? "").split(/\s+/));
      const generated = new Date(ctx.now()).toISOString().replace("T", " ").slice(0, 19);
      const { totpIssuer } = await brandInForce(ctx);
      return download({
        fileName: `${fileNameOf(totpIssuer)}backup-codes.txt`,
        contentType: "text/plain; charset=utf-8",
        text: codesAsText(codes, totpIssuer, signedIn.email, `${generated} UTC`),
      });
    },
  },
});

/** A name as it may stand in a header: "Ångström IT" → "angstrom-it-". */
function fileNameOf(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  return words ? `${words.join("-")}-` : "";
}
