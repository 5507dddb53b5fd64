import type { LogoImage } from "~/content/brand";
import { logoContent } from "~/features/settings/logo/logo-file.server";
import { describeError } from "~/lib/describe-error";
import type { Ctx } from "~/platform/context.server";
import type { PdfPicture } from "./model";
import { readPicture } from "./read-picture.server";

/** Limits a logo on paper, in pixels: four for each point of its room. */
const ROOM = { width: 480, height: 112 };

/** Holds the logo that this isolate has read last, by its address, which names its content. */
const lastRead = new Map<string, PdfPicture | null>();

/**
 * Returns the logo as files show it. Null where there is none, it is no PNG picture, or it cannot be read: the file
 * says the name then.
 *
 * A file that cannot be decoded is remembered as null, because its address names its content: it would fail each time.
 * One that could not be fetched is not: the next file asks for it again.
 */
export async function logoPicture(
  ctx: Pick<Ctx, "files" | "log" | "request">,
  logo: LogoImage | null,
): Promise<PdfPicture | null> {
  if (!logo?.src.endsWith(".png")) return null;
  const known = lastRead.get(logo.src);
  if (known !== undefined) return known;
  try {
    const content = await logoContent(ctx, logo.src.slice(logo.src.lastIndexOf("/") + 1));
    if (!content) return null;
    const picture = readable(ctx, new Uint8Array(await new Response(content).arrayBuffer()));
    lastRead.clear();
    lastRead.set(logo.src, picture);
    return picture;
  } catch (error) {
    logFailure(ctx, error);
    return null;
  }
}

function readable(ctx: Pick<Ctx, "log" | "request">, file: Uint8Array): PdfPicture | null {
  try {
    return readPicture(file, ROOM);
  } catch (error) {
    logFailure(ctx, error);
    return null;
  }
}

const logFailure = ({ log, request }: Pick<Ctx, "log" | "request">, error: unknown): void =>
  log("warn", { event: "logo_not_read", request_id: request.id, error: describeError(error) });
