import * as z from "zod";
import { CHOOSE_AGAIN } from "~/features/attachments/copy";
import { requireStepUp, type StaffActor } from "~/features/auth/guards.server";
import { LOGO_SIDES, LOGO_SIZE } from "~/features/settings/logo/model";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { fail } from "~/lib/result";
import { type ActionResult, conflict, done, invalid } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions } from "~/platform/form-actions.server";
import { checkFormToken } from "~/platform/form-token.server";
import { ERROR, NOT_SAVED, SETTINGS_SAVED } from "../copy";
import { groupPath } from "../model";
import { inspectLogo, type LogoFlaw, type Picture } from "./inspect-logo.server";
import { saveLogo } from "./save-logo.server";

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
  invalid({ title: ERROR, errors: { form: NOT_SAVED, ...errors }, values: {} });

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
  form: VersionForm,
  invalid: () => rejected({ form: FORM_TOO_OLD }),
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
