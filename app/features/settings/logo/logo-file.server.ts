import type { Ctx } from "~/platform/context.server";
import { type LogoFile, logoKey } from "./model";

const NAME = /^logo-([0-9a-f]{32})\.(png|webp)$/;

/** Says that nobody may keep an older file under this name: it holds a hash of the content. */
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * Returns the file of a logo. Its type is that of its name, and browsers neither guess another nor run anything in it.
 * Null: there is no such file.
 */
export async function logoFile(ctx: Pick<Ctx, "files">, name: string): Promise<Response | null> {
  const [, hash, kind] = NAME.exec(name) ?? [];
  if (!hash || !kind) return null;
  const content = await ctx.files.get(logoKey({ hash, kind: kind as LogoFile["kind"] }));
  if (!content) return null;
  return new Response(content, {
    headers: {
      "Content-Type": `image/${kind}`,
      "Cache-Control": FOR_EVER,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      // Mail programs in a browser show it on pages of theirs.
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
