import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { settings } from "~/db/schema/site";
import { CHOOSE_AGAIN } from "~/features/attachments/labels";
import { inspectFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { requireStepUp, type StaffActor } from "~/features/auth/guards.server";
import { measurePng } from "~/features/pdf/png-rows.server";
import { keyOfPicture, PICTURES, type PictureFile, type PictureName, pictureImage } from "~/features/settings/model";
import { publishSettings, saveSetting } from "~/features/settings/publish-settings.server";
import { storedPicture } from "~/features/settings/site-settings.server";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { fail, ok, type Result } from "~/lib/errors";
import type { FieldErrors, ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf, hashOfBytes } from "~/platform/crypto.server";
import { type FormAction, formActions, formTokens, reasonOf, versionField } from "~/platform/form-actions.server";
import { checkFormToken } from "~/platform/form-token.server";
import { type ActionResult, conflict, done, invalid } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { ERROR, PICTURE_WORDS, SETTINGS_NOT_SAVED, SETTINGS_SAVED } from "./labels";
import { groupPath } from "./model";

type PictureSize = { width: number; height: number };

/** What is stored of a file: the picture without what it says of place, time and device. */
type PlainPicture = { bytes: Uint8Array; size: PictureSize; isTurned?: boolean };

/**
 * Reads a picture part by part, and keeps those that show it. Null: it is not a whole picture of this kind, or one that
 * moves. Formats: https://www.w3.org/TR/png-3, https://developers.google.com/speed/webp/docs/riff_container and
 * https://www.w3.org/Graphics/JPEG/itu-t81.pdf.
 */
function plainPicture(kind: PictureFile["kind"], bytes: Uint8Array): PlainPicture | null {
  // The shortest picture of any kind is longer.
  if (bytes.byteLength < 40) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { jpg: plainJpeg, png: plainPng, webp: plainWebp }[kind](view, bytes);
}

const textAt = (view: DataView, at: number, length = 4): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, Math.min(length, view.byteLength - at)));

const joined = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** Those that decide how a picture looks; texts, times, EXIF and chunks of programs are none of them. */
const PNG_CHUNKS = /^(IHDR|PLTE|IDAT|IEND|tRNS|cHRM|gAMA|iCCP|sBIT|sRGB|cICP|mDCV|cLLI|bKGD|hIST|pHYs)$/;

function plainPng(view: DataView, bytes: Uint8Array): PlainPicture | null {
  if (textAt(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || textAt(view, 12) !== "IHDR") return null;
  const parts = [bytes.subarray(0, 8)];
  let [at, hasPixels] = [8, false];
  while (at + 12 <= view.byteLength) {
    const type = textAt(view, at + 4);
    if (type === "acTL") return null;
    if (type === "IDAT") hasPixels = true;
    const end = at + 12 + view.getUint32(at);
    if (PNG_CHUNKS.test(type)) parts.push(bytes.subarray(at, end));
    at = end;
    if (type === "IEND") break;
  }
  // Whatever follows the end is not part of the picture.
  if (!hasPixels || at !== view.byteLength) return null;
  return { bytes: joined(parts), size: { width: view.getUint32(16), height: view.getUint32(20) } };
}

const WEBP_CHUNKS = /^(VP8 |VP8L|VP8X|ALPH|ICCP)$/;
/** Bits of a VP8X chunk. */
const [MOVES, HAS_EXIF_OR_XMP] = [0x02, 0x0c];

function plainWebp(view: DataView, bytes: Uint8Array): PlainPicture | null {
  if (textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return null;
  if (view.getUint32(4, true) + 8 !== view.byteLength) return null;
  const size = webpSize(view);
  if (!size) return null;
  const parts = [bytes.subarray(0, 12)];
  let at = 12;
  while (at + 8 <= view.byteLength) {
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (WEBP_CHUNKS.test(textAt(view, at))) parts.push(bytes.subarray(at, end));
    at = end;
  }
  if (at !== view.byteLength) return null;
  const plain = joined(parts);
  const written = new DataView(plain.buffer);
  written.setUint32(4, plain.byteLength - 8, true);
  if (textAt(written, 12) === "VP8X") written.setUint8(20, written.getUint8(20) & ~HAS_EXIF_OR_XMP);
  return { bytes: plain, size };
}

function webpSize(view: DataView): PictureSize | null {
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (textAt(view, 12)) {
    case "VP8 ": {
      const isKeyFrame = three(23) === 0x2a019d;
      return isKeyFrame
        ? { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
        : null;
    }
    case "VP8L": {
      const bits = view.getUint32(21, true);
      if (view.getUint8(20) !== 0x2f) return null;
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return view.getUint8(20) & MOVES ? null : { width: three(24) + 1, height: three(27) + 1 };
    default:
      return null;
  }
}

/** Of application data only what decides the colors: JFIF, a color profile, Adobe's transform. */
function isShown(view: DataView, marker: number, at: number): boolean {
  if (marker === 0xe2) return textAt(view, at + 4, 11) === "ICC_PROFILE";
  if (marker === 0xe0) return textAt(view, at + 4) === "JFIF";
  return marker === 0xee || !((marker >= 0xe1 && marker <= 0xef) || marker === 0xfe);
}

/** Bytes of a scan: 0xff stands before 0 or a restart mark there, before any other mark it ends. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; at + 1 < view.byteLength; at += 1) {
    const next = view.getUint8(at + 1);
    if (view.getUint8(at) === 0xff && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return view.byteLength;
}

/** What follows the end of the picture is left away: phones keep a second one there, with all it says. */
function plainJpeg(view: DataView, bytes: Uint8Array): PlainPicture | null {
  const [length, parts] = [view.byteLength, [bytes.subarray(0, 2)]];
  if (view.getUint16(length - 2) !== 0xffd9) return null;
  let [at, isTurned, hasPixels, size] = [2, false, false, null as PictureSize | null];
  while (at + 2 <= length) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return null;
    if (marker === 0xd9)
      return size && hasPixels ? { bytes: joined([...parts, bytes.subarray(at, at + 2)]), size, isTurned } : null;
    if (at + 9 > length) return null;
    let end = at + 2 + view.getUint16(at + 2);
    if (end > length) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xe1 && orientation(view, at + 4, end) > 1) isTurned = true;
    if (marker === 0xda) [end, hasPixels] = [endOfScan(view, end), true];
    if (isShown(view, marker, at)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** As EXIF says it: 1 is upright. */
function orientation(view: DataView, at: number, end: number): number {
  const tiff = at + 6;
  if (tiff + 10 > end || textAt(view, at) !== "Exif") return 1;
  const isLittle = view.getUint16(tiff) === 0x4949;
  const first = tiff + view.getUint32(tiff + 4, isLittle);
  const count = first + 2 > end ? 0 : view.getUint16(first, isLittle);
  for (let entry = first + 2; entry + 12 <= Math.min(end, first + 2 + count * 12); entry += 12)
    if (view.getUint16(entry, isLittle) === 0x0112) return view.getUint16(entry + 8, isLittle);
  return 1;
}

type Picture = { bytes: Uint8Array; file: PictureFile };

type Flaw = "none" | "too_large" | "not_a_picture" | "wrong_size" | "turned" | "not_in_files";

async function inspectPicture(name: PictureName, file: File | undefined): Promise<Result<Picture, Flaw>> {
  const { kinds, sides, size: maxSize } = PICTURES[name];
  if (!file) return fail("none");
  if (file.size > maxSize) return fail("too_large");
  const given = new Uint8Array(await file.arrayBuffer());
  const inspected = inspectFile(file.name, given, { maxSize, kinds });
  if (!inspected.ok) return fail("not_a_picture");
  const kind = inspected.value as PictureFile["kind"];
  const plain = plainPicture(kind, given);
  if (!plain) return fail("not_a_picture");
  const { bytes, size, isTurned } = plain;
  if (![size.width, size.height].every((side) => side >= sides.min && side <= sides.max)) return fail("wrong_size");
  if (isTurned) return fail("turned");
  if (name === "logo" && kind === "png" && !isShownInPdf(bytes)) return fail("not_in_files");
  return ok({ bytes, file: { hash: hashOfBytes(bytes), kind, ...size } });
}

function isShownInPdf(bytes: Uint8Array): boolean {
  try {
    measurePng(bytes);
    return true;
  } catch {
    return false;
  }
}

type PictureChange = {
  /** Null: it is taken away. */
  picture: Picture | null;
  version: number;
  nonce: string;
};

/** Version 0: none was ever saved. */
async function findPicture(db: Ctx["db"], name: PictureName): Promise<{ version: number; picture: unknown }> {
  const [row] = await db
    .select({ version: settings.version, value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, name))
    .limit(1);
  return { version: row?.version ?? 0, picture: row ? JSON.parse(row.value) : null };
}

/**
 * Its file is stored first, so that no page names one that is not there. Former logos stay, because mails show them; a
 * former picture of a person goes. Fails with `settings_changed` when somebody has saved another one meanwhile.
 */
async function savePicture(
  ctx: Ctx,
  actor: StaffActor,
  name: PictureName,
  { picture, version, nonce }: PictureChange,
): Promise<Result<void, "settings_changed">> {
  const { db } = ctx;
  const file = picture?.file ?? null;
  if (picture) await ctx.files.put(keyOfPicture(name, picture.file), picture.bytes);
  const choice = fingerprintOf(JSON.stringify(file));
  const hasVersion = sql`(SELECT coalesce(sum(version), 0) FROM settings WHERE key = ${name}) = ${version}`;
  const { label } = PICTURE_WORDS[name];
  const form = { scope: purposeOf(name), key: nonce, choice };
  let former: unknown = null;
  const saved = await runCommand(ctx, form, {
    read: () => findPicture(db, name),
    plan: (stored, { last }): Planned<"settings_changed"> => {
      // The first post of the same form has saved it, and nobody another one since.
      if (last === choice && JSON.stringify(stored.picture) === JSON.stringify(file)) return ok({ resultId: name });
      former = stored.picture;
      return ok({
        resultId: name,
        expects: [
          { that: isActiveAdmin(actor.userId), otherwise: "settings_changed" },
          { that: hasVersion, otherwise: "settings_changed" },
        ],
        statements: [
          saveSetting(ctx, name, file),
          recordAudit(ctx, "settings.brand_changed", {
            subject: { type: "settings", id: name, label: null },
            meta: {
              after: { [name]: file },
              changed: [file ? `${label}: ${file.width} × ${file.height} pixels` : `${label}: removed`],
            },
          }),
        ],
      });
    },
  });
  if (!saved.ok) return fail("settings_changed");
  await publishSettings(ctx);
  const gone = storedPicture(name).safeParse(former);
  if (name === "portrait" && gone.success && gone.data.hash !== file?.hash)
    await ctx.files.delete([keyOfPicture(name, gone.data)]);
  return ok(undefined);
}

/** Asks for a proof of identity first: a file cannot be kept over that. */
export async function readPicturePage(ctx: Ctx, actor: StaffActor, name: PictureName) {
  if (ctx.request.method === "GET") await requireStepUp(ctx);
  const { version, picture } = await findPicture(ctx.db, name);
  const stored = storedPicture(name).safeParse(picture);
  return {
    name,
    version,
    backTo: groupPath(PICTURE_WORDS[name].group),
    picture: stored.success ? pictureImage(name, stored.data) : null,
    tokens: formTokens(ctx, actor, pictureActions[name]),
    hasErrors: ctx.form.isRejected,
  };
}

const purposeOf = (name: PictureName) => `settings-${name}`;

const flawText = (name: PictureName, flaw: Flaw): string => {
  const { kinds, sides, size } = PICTURES[name];
  const texts: Record<Flaw, string> = {
    none: "Choose a picture first.",
    too_large: `The file is larger than ${size / 1024} KB.`,
    not_a_picture: `This file is not a ${kinds.length > 2 ? "JPEG, PNG or WebP" : "PNG or WebP"} picture. Choose another one.`,
    wrong_size: `Each side of the picture must have ${sides.min} to ${sides.max.toLocaleString("en-US")} pixels.`,
    turned: "This picture is stored on its side. Turn it in a picture program, save it, and choose it again.",
    not_in_files: "PDF files could not show this picture. Save it again as PNG with eight bits per color.",
  };
  return texts[flaw];
};

const rejected = (errors: FieldErrors): ActionResult<ValidationError> =>
  invalid({ title: ERROR, errors: { form: SETTINGS_NOT_SAVED, ...errors }, values: {} });

const VersionForm = z.object({
  version: versionField,
});

type PictureAction = FormAction<StaffActor, null, ValidationError, { version: number }>;

/** Handles the forms of a picture: another one, or none. Without a valid token no byte of a file is kept. */
function actionsOf(name: PictureName) {
  const { group, label } = PICTURE_WORDS[name];
  const action = (run: PictureAction["run"]): PictureAction => ({
    ability: "settings.change",
    purpose: purposeOf(name),
    failed: SETTINGS_NOT_SAVED,
    form: VersionForm,
    invalid: (problem) => rejected({ form: reasonOf(problem, FORM_TOO_OLD) }),
    run,
  });
  async function save(ctx: Ctx, actor: StaffActor, change: PictureChange): Promise<ActionResult<ValidationError>> {
    const saved = await savePicture(ctx, actor, name, change);
    if (!saved.ok) {
      const form = `Someone else has saved another ${label.toLowerCase()} since you opened this page. Look at it below.`;
      return conflict({ title: ERROR, errors: { form }, values: {} });
    }
    return done({ to: groupPath(group), flash: { kind: "success", ...SETTINGS_SAVED }, newDocument: true });
  }
  return formActions<StaffActor, null, ValidationError>({
    reading: (ctx) => ({
      upload: {
        maxFileSize: PICTURES[name].size,
        decide: async ({ form_token: token }) =>
          checkFormToken(ctx, purposeOf(name), token).ok ? { accepted: true } : { accepted: false, reason: "token" },
      },
    }),
  })({
    upload: action(async (ctx, actor, { input, nonce, files, upload }) => {
      await requireStepUp(ctx);
      if (upload && !upload.decision.accepted) return rejected({ [name]: CHOOSE_AGAIN });
      const picture = upload?.isTooLarge ? fail<Flaw>("too_large") : await inspectPicture(name, files[name]);
      return picture.ok
        ? save(ctx, actor, { picture: picture.value, nonce, ...input })
        : rejected({ [name]: flawText(name, picture.code) });
    }),
    remove: action(async (ctx, actor, { input, nonce }) => {
      await requireStepUp(ctx);
      return save(ctx, actor, { picture: null, nonce, ...input });
    }),
  });
}

export const pictureActions = { logo: actionsOf("logo"), portrait: actionsOf("portrait") };
