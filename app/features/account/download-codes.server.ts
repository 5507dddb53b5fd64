import { codesAsText } from "~/features/auth/factors/backup-codes";
import { ownCodes } from "~/features/auth/factors/prepare-backup-codes.server";
import { brandInForce } from "~/features/settings/brand-in-force.server";
import { fold } from "~/lib/text";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { checkFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/**
 * Backup codes as a text file. Nothing readable of them is stored, so the form carries back what the page showed, and
 * only what belongs to the person's set is returned.
 */
export async function downloadCodes(ctx: Ctx, signedIn: SignedIn, request: Request): Promise<Response> {
  const { fields } = await readForm(request);
  if (!checkFormToken(ctx, ACCOUNT_PURPOSE, fields.form_token).ok) throw new Response(null, { status: 400 });
  const codes = await ownCodes(ctx, signedIn.userId, (fields.codes ?? "").split(/\s+/));
  const generated = new Date(ctx.now()).toISOString().replace("T", " ").slice(0, 19);
  const { totpIssuer } = await brandInForce(ctx);
  return new Response(codesAsText(codes, totpIssuer, signedIn.email, `${generated} UTC`), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileNameOf(totpIssuer)}backup-codes.txt"`,
      "Cache-Control": "no-store",
    },
  });
}

/** A name as it may stand in a header: "Ångström IT" → "angstrom-it-". */
function fileNameOf(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  return words ? `${words.join("-")}-` : "";
}
