import * as z from "zod";
import { PLATFORM_ROLES } from "~/access/model";

export const RoleForm = z.object({ role: z.enum(PLATFORM_ROLES) });

/** Checks a form about one account of the list. */
export const UserIdForm = z.object({ id: z.string().regex(/^usr_[a-z0-9_]{1,56}$/) });
