import { auditColumns } from "~/features/audit/record-audit.server";
import { sortableId } from "~/lib/ids";
import { seededRandom } from "../seeded-random.mjs";

/**
 * Returns what the parts of the demo world share: clock, random numbers, ids and a function that writes rows. Both
 * records of what happened are numbered in order of writing, so entries are collected and written by time at the end.
 */
export function openWorld(database, secrets, now) {
  const random = seededRandom(1);
  const history = { audit_events: [], live_events: [], mfa_audit_log: [] };
  const insert = (table, row) => {
    const columns = Object.keys(row);
    const names = columns.map((column) => `"${column}"`).join(", ");
    const parameters = columns.map(() => "?").join(", ");
    database.prepare(`insert into ${table}(${names}) values (${parameters})`).run(...Object.values(row));
  };
  const happened = (table, at, row) => history[table].push({ at, row });
  return {
    database,
    secrets,
    now,
    random,
    insert,
    newId: (prefix, at) => sortableId(prefix, at, random.bytes(16)),
    audit: (at, actor, action, subject, meta, organizationId = null) =>
      happened("audit_events", at, {
        ...auditColumns({ at, actor, action, subject, meta }),
        org_id: organizationId,
      }),
    /** Records a live event for everyone of the staff but the one who did it. */
    live: (at, type, subject, label, actorId) =>
      happened("live_events", at, {
        audience: "staff",
        type,
        subject_type: subject.type,
        subject_id: subject.id,
        label,
        actor_id: actorId,
        at,
      }),
    secondFactor: (at, userId, action, failure = null) =>
      happened("mfa_audit_log", at, {
        user_id: userId,
        action,
        method: "totp",
        success: failure ? 0 : 1,
        failure_reason: failure,
        ip_address: `192.0.2.${random.between(2, 250)}`,
        created_at: at,
      }),
    writeHistory: () => {
      for (const [table, entries] of Object.entries(history)) {
        entries.sort((left, right) => left.at - right.at);
        for (const { row } of entries) insert(table, row);
      }
    },
  };
}
