import { publishedTermsVersion } from "~/features/settings/legal-texts.server";
import type { Ctx } from "~/platform/context.server";
import { equalInConstantTime, keyedHash } from "~/platform/crypto.server";

/** Names the hidden field with the version of the terms that the form speaks of. */
const TERMS_FIELD = "terms_version";

type TermsContext = Pick<Ctx, "config" | "publishedSettings">;

const signed = ({ config }: Pick<Ctx, "config">, version: string): string =>
  `${version}.${keyedHash(config.FORM_KEY_1, "terms-version/v1", version)}`;

/**
 * Returns the value of the hidden field: the version in force, signed, so that no other can be sent as the one read.
 */
export const shownTerms = async (ctx: TermsContext): Promise<string> => signed(ctx, await publishedTermsVersion(ctx));

/**
 * Returns the version of the terms that was in force when the form was opened, which the visitor has read; without a
 * signed one that which is in force now.
 */
export async function agreedTerms(ctx: TermsContext, fields: Record<string, string>): Promise<string> {
  const shown = fields[TERMS_FIELD] ?? "";
  const version = shown.slice(0, Math.max(0, shown.lastIndexOf(".")));
  return version && equalInConstantTime(shown, signed(ctx, version)) ? version : publishedTermsVersion(ctx);
}
