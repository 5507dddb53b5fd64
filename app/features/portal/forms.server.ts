import * as z from "zod";
import { absentAsEmpty } from "~/lib/form";

export const SwitchForm = z.object({ organization_id: z.string().max(60) });

export const CreateForm = absentAsEmpty(
  ["name", "description"],
  z.object({
    name: z.string().trim().min(1, "Name is required").max(200, "Name can have at most 200 characters"),
    description: z.string().trim().max(2_000, "Description can have at most 2,000 characters"),
  }),
);

export const AskForm = z.object({ membership_id: z.string().max(60) });
