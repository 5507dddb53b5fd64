import { days } from "~/lib/time";

/**
 * Sets how long events of the audit are kept, such as failed sign-ins, and with them the alerts and MFA events that are
 * made of them. Triggers of the database keep younger ones. The job `purge-audit` deletes the events.
 */
export const AUDIT_RETENTION = days(400);
