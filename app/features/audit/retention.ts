import { days } from "~/lib/time";

/** Also alerts and MFA events. Triggers of the database keep younger ones; the job `purge-audit` deletes the others. */
export const AUDIT_RETENTION = days(400);
