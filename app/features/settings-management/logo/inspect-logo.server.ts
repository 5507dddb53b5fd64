import { inspectFile } from "~/features/attachments/inspect-file.server";
import { measurePng } from "~/features/pdf/png-rows.server";
import { LOGO_SIDES, LOGO_SIZE, type LogoFile } from "~/features/settings/logo/model";
import { pictureSize } from "~/features/settings/logo/picture-size";
import { fail, ok, type Result } from "~/lib/result";
import { hashOfBytes } from "~/platform/crypto.server";

/** Holds a picture that was accepted. */
export type Picture = { bytes: Uint8Array; file: LogoFile };

/** Says why a file is no logo. */
export type LogoFlaw = "none" | "too_large" | "not_a_picture" | "wrong_size" | "not_in_files";

/** Checks the file of a logo by its content, whatever it is called or said to be. */
export async function inspectLogo(file: File | undefined): Promise<Result<Picture, LogoFlaw>> {
  if (!file) return fail("none");
  if (file.size > LOGO_SIZE) return fail("too_large");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const inspected = inspectFile(file.name, bytes, { maxSize: LOGO_SIZE, kinds: ["png", "webp"] });
  if (!inspected.ok) return fail("not_a_picture");
  const kind = inspected.value as LogoFile["kind"];
  const size = pictureSize(kind, bytes);
  if (!size) return fail("not_a_picture");
  const isFitting = [size.width, size.height].every((side) => side >= LOGO_SIDES.min && side <= LOGO_SIDES.max);
  if (!isFitting) return fail("wrong_size");
  if (kind === "png" && !isShownInPdf(bytes)) return fail("not_in_files");
  return ok({ bytes, file: { hash: hashOfBytes(bytes), kind, ...size } });
}

/** Tells whether a PNG picture is one that PDF files can show. */
function isShownInPdf(bytes: Uint8Array): boolean {
  try {
    measurePng(bytes);
    return true;
  } catch {
    return false;
  }
}
