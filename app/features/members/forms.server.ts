import * as z from "zod";
import { isId } from "~/lib/ids";
import { SETTABLE_ROLES, SETTABLE_STATUSES } from "./model";

export const RoleChoice = z.enum(SETTABLE_ROLES);
export const StatusChoice = z.enum(SETTABLE_STATUSES);

/** Checks a button of a row, which posts the id of its membership. */
export const MembershipForm = z.object({ id: z.string().refine((id) => isId("mem", id)) });
