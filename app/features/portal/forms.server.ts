import * as z from "zod";
import { nameField } from "~/features/auth/forms.server";
import { absentAsEmpty } from "~/lib/form";

export const SwitchForm = z.object({ organization_id: z.string().max(60) });

export const CreateForm = absentAsEmpty(
  ["name", "description"],
  z.object({
    name: nameField(200, { missing: "Name is required", tooLong: "Name can have at most 200 characters" }),
    description: z.string().trim().max(2_000, "Description can have at most 2,000 characters"),
  }),
);

export const AskForm = z.object({ membership_id: z.string().max(60) });
