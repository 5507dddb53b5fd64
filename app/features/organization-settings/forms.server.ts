import * as z from "zod";
import { nameField } from "~/features/auth/forms.server";
import { CHOOSE_OWNER } from "~/features/members/copy";
import { RoleChoice } from "~/features/members/forms.server";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import { DESCRIPTION_TOO_LONG, NAME_REQUIRED, NAME_TOO_LONG } from "./copy";
import { DESCRIPTION_MAX, NAME_MAX, VISIBILITIES } from "./model";

export const SettingsForm = absentAsEmpty(
  ["name", "description", "visibility", "default_role", "allows_copies", "version"],
  z
    .object({
      name: nameField(NAME_MAX, { missing: NAME_REQUIRED, tooLong: NAME_TOO_LONG }),
      description: z.string().trim().max(DESCRIPTION_MAX, DESCRIPTION_TOO_LONG),
      visibility: z.enum(VISIBILITIES),
      default_role: RoleChoice,
      allows_copies: z.enum(["on", ""]),
      version: z.coerce.number().int().positive(),
    })
    .transform(({ default_role: defaultRole, allows_copies, ...rest }) => {
      return { ...rest, defaultRole, allowsCopies: allows_copies === "on" };
    }),
);

export const MfaForm = absentAsEmpty(
  ["require_mfa"],
  z.object({ require_mfa: z.enum(["on", ""]) }).transform(({ require_mfa }) => ({ isRequired: require_mfa === "on" })),
);

export const TransferForm = absentAsEmpty(
  ["membership_id", "confirm_name"],
  z.object({
    membership_id: z.string().refine((id) => isId("mem", id), CHOOSE_OWNER),
    confirm_name: z.string().trim(),
  }),
);
