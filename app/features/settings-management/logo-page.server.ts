import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { settings } from "~/db/schema/site";
import { CHOOSE_AGAIN } from "~/features/attachments/labels";
import { inspectFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { requireStepUp, type StaffActor } from "~/features/auth/guards.server";
import { measurePng } from "~/features/pdf/png-rows.server";
import { LOGO_SIDES, LOGO_SIZE, type LogoFile, logoImage, logoKey } from "~/features/settings/model";
import { publishSettings, saveSetting } from "~/features/settings/publish-settings.server";
import { StoredLogo } from "~/features/settings/site-settings.server";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf, hashOfBytes } from "~/platform/crypto.server";
import { type FormAction, formActions, formTokens, reasonOf } from "~/platform/form-actions.server";
import { checkFormToken } from "~/platform/form-token.server";
import { type ActionResult, conflict, done, invalid } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { ERROR, SETTINGS_NOT_SAVED, SETTINGS_SAVED } from "./labels";
import { groupPath } from "./model";

/** Holds the sides of a picture, in pixels. */
type PictureSize = { width: number; height: number };

/**
 * Reads the size of a picture from its own bytes. Null: it is not a whole picture of this kind, or one that moves.
 * Formats: https://www.w3.org/TR/png-3 and https://developers.google.com/speed/webp/docs/riff_container.
 */
function pictureSize(kind: "png" | "webp", bytes: Uint8Array): PictureSize | null {
  // The shortest picture of either kind is longer.
  if (bytes.byteLength < 40) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return kind === "png" ? pngSize(view) : webpSize(view);
}

const textAt = (view: DataView, at: number, length = 4): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));

function pngSize(view: DataView): PictureSize | null {
  if (textAt(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || textAt(view, 12) !== "IHDR") return null;
  let [at, hasPixels] = [8, false];
  while (at + 12 <= view.byteLength) {
    const type = textAt(view, at + 4);
    if (type === "acTL") return null;
    if (type === "IDAT") hasPixels = true;
    at += 12 + view.getUint32(at);
    if (type === "IEND") break;
  }
  // Whatever follows the end is not part of the picture.
  if (!hasPixels || at !== view.byteLength) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function webpSize(view: DataView): PictureSize | null {
  if (textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return null;
  if (view.getUint32(4, true) + 8 !== view.byteLength) return null;
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
    case "VP8X": {
      const moves = (view.getUint8(20) & 0x02) !== 0;
      return moves ? null : { width: three(24) + 1, height: three(27) + 1 };
    }
    default:
      return null;
  }
}

type Picture = { bytes: Uint8Array; file: LogoFile };

/** Says why a file is no logo. */
type LogoFlaw = "none" | "too_large" | "not_a_picture" | "wrong_size" | "not_in_files";

async function inspectLogo(file: File | undefined): Promise<Result<Picture, LogoFlaw>> {
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

function isShownInPdf(bytes: Uint8Array): boolean {
  try {
    measurePng(bytes);
    return true;
  } catch {
    return false;
  }
}

type LogoChange = {
  /** Holds the new logo; null: the default mark returns. */
  picture: Picture | null;
  version: number;
  nonce: string;
};

const KEY = "logo";

/** Reads the logo, with its version. Version 0: none was ever saved. */
async function findLogo(db: Ctx["db"]): Promise<{ version: number; logo: unknown }> {
  const [row] = await db
    .select({ version: settings.version, value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, KEY))
    .limit(1);
  return { version: row?.version ?? 0, logo: row ? JSON.parse(row.value) : null };
}

/**
 * Saves a logo, or takes it away, and publishes it. Its file is stored first, so that no page names one that is not
 * there. Former files stay: pages that were loaded before still show them. Fails with `settings_changed` when somebody
 * has saved another one meanwhile.
 */
async function saveLogo(
  ctx: Ctx,
  actor: StaffActor,
  { picture, version, nonce }: LogoChange,
): Promise<Result<void, "settings_changed">> {
  const { db } = ctx;
  const logo: LogoFile | null = picture?.file ?? null;
  if (picture) await ctx.files.put(logoKey(picture.file), picture.bytes, {});
  const choice = fingerprintOf(JSON.stringify(logo));
  const hasVersion = sql`(SELECT coalesce(sum(version), 0) FROM settings WHERE key = ${KEY}) = ${version}`;
  const form = { scope: "settings-logo", key: nonce, choice };
  const saved = await runCommand(ctx, form, {
    read: () => findLogo(db),
    plan: (stored, { last }): Planned<"settings_changed"> => {
      // The first post of the same form has saved this logo, and nobody another one since.
      if (last === choice && JSON.stringify(stored.logo) === JSON.stringify(logo)) return ok({ resultId: KEY });
      return ok({
        resultId: KEY,
        expects: [
          { that: isActiveAdmin(actor.userId), otherwise: "settings_changed" },
          { that: hasVersion, otherwise: "settings_changed" },
        ],
        statements: [
          saveSetting(ctx, KEY, logo),
          recordAudit(ctx, "settings.brand_changed", {
            subject: { type: "settings", id: KEY, label: null },
            meta: {
              after: { logo },
              changed: [logo ? `Logo: ${logo.width} × ${logo.height} pixels` : "Logo: removed"],
            },
          }),
        ],
      });
    },
  });
  if (!saved.ok) return fail("settings_changed");
  await publishSettings(ctx);
  return ok(undefined);
}

/** Reads the logo for the page that changes it. Asks for a proof of identity first: a file cannot be kept over that. */
export async function readLogoPage(ctx: Ctx, actor: StaffActor) {
  if (ctx.request.method === "GET") await requireStepUp(ctx);
  const { version, logo } = await findLogo(ctx.db);
  const stored = StoredLogo.safeParse(logo);
  return {
    version,
    backTo: groupPath("look"),
    logo: stored.success ? logoImage(stored.data) : null,
    tokens: formTokens(ctx, actor, logoActions),
    hasErrors: ctx.form.isRejected,
  };
}

const PURPOSE = "settings-logo";
const CHANGED_MEANWHILE = "Someone else has saved another logo since you opened this page. Look at it below.";

const FLAWS: Record<LogoFlaw, string> = {
  none: "Choose a picture first.",
  too_large: `The file is larger than ${LOGO_SIZE / 1024} KB.`,
  not_a_picture: "This file is not a PNG or WebP picture. Choose another one.",
  wrong_size: `Each side of the picture must have ${LOGO_SIDES.min} to ${LOGO_SIDES.max.toLocaleString("en-US")} pixels.`,
  not_in_files: "PDF files could not show this picture. Save it again as PNG with eight bits per color.",
};

const rejected = (errors: FieldErrors): ActionResult<ValidationError> =>
  invalid({ title: ERROR, errors: { form: SETTINGS_NOT_SAVED, ...errors }, values: {} });

const VersionForm = z.object({
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

type LogoAction = FormAction<StaffActor, null, ValidationError, { version: number }>;

const action = (run: LogoAction["run"]): LogoAction => ({
  ability: "settings.change",
  purpose: PURPOSE,
  failed: SETTINGS_NOT_SAVED,
  form: VersionForm,
  invalid: (problem) => rejected({ form: reasonOf(problem, FORM_TOO_OLD) }),
  run,
});

async function save(
  ctx: Ctx,
  actor: StaffActor,
  change: { picture: Picture | null; version: number; nonce: string },
): Promise<ActionResult<ValidationError>> {
  const saved = await saveLogo(ctx, actor, change);
  if (!saved.ok) return conflict({ title: ERROR, errors: { form: CHANGED_MEANWHILE }, values: {} });
  return done({ to: groupPath("look"), flash: { kind: "success", ...SETTINGS_SAVED }, newDocument: true });
}

/** Handles the forms of the logo: another one, or none. Without a valid token no byte of a file is kept. */
export const logoActions = formActions<StaffActor, null, ValidationError>({
  reading: (ctx) => ({
    upload: {
      maxFileSize: LOGO_SIZE,
      decide: async ({ form_token: token }) =>
        checkFormToken(ctx, PURPOSE, token).ok ? { accepted: true } : { accepted: false, reason: "token" },
    },
  }),
})({
  upload: action(async (ctx, actor, { input, nonce, files, upload }) => {
    await requireStepUp(ctx);
    if (upload && !upload.decision.accepted) return rejected({ logo: CHOOSE_AGAIN });
    const picture = upload?.isTooLarge ? fail<LogoFlaw>("too_large") : await inspectLogo(files.logo);
    return picture.ok
      ? save(ctx, actor, { picture: picture.value, nonce, ...input })
      : rejected({ logo: FLAWS[picture.code] });
  }),
  remove: action(async (ctx, actor, { input, nonce }) => {
    await requireStepUp(ctx);
    return save(ctx, actor, { picture: null, nonce, ...input });
  }),
});
