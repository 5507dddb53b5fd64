import * as z from "zod";
import { absentAsEmpty } from "~/lib/form";

export const AddCopyForm = absentAsEmpty(
  ["email"],
  z.object({ email: z.string().trim().min(1, "Type an address").max(300) }),
);

export const RemoveCopyForm = z.object({ copy: z.string().regex(/^cpy_[a-z0-9]{1,40}$/) });
