import * as z from "zod";

export const SwitchForm = z.object({ organization_id: z.string().max(60) });
