import type { Ctx } from "~/platform/context.server";
import { type LogoFile, logoKey } from "./model";

const NAME = /^logo-([0-9a-f]{32})\.(png|webp)$/;

/** Says that nobody may keep an older file under this name: it holds a hash of the content. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Returns the content of the file of a logo, by its name. Null: there is no such file. */
export async function logoContent({ files }: Pick<Ctx, "files">, name: string) {
  const [, hash, kind] = NAME.exec(name) ?? [];
  return hash && kind ? files.get(logoKey({ hash, kind: kind as LogoFile["kind"] })) : null;
}

/**
 * Returns the file of a logo. Its type is that of its name, and browsers neither guess another nor run anything in it.
 * Null: there is no such file.
 */
export async function logoFile(ctx: Pick<Ctx, "files">, name: string): Promise<Response | null> {
  const content = await logoContent(ctx, name);
  if (!content) return null;
  return new Response(content, {
    headers: {
      "Content-Type": `image/${name.slice(name.lastIndexOf(".") + 1)}`,
      "Cache-Control": FOR_EVER,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      // Mail programs in a browser show it on pages of theirs.
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
