import { ALLOWED, type Persona } from "./permissions";

/*
 * Lists who gets files that exist, and who may connect to the live channels. `tests/worker/permission-matrix.test.ts`
 * checks it against the whole worker, with an organization `org_1` of the members, and another one.
 */

/**
 * Lists files that exist, with the status of a fresh proof of identity; the others get what the table of routes says.
 */
type FilePermission = { path: string; allowed: readonly Persona[]; otherStaff?: number };

export const FILES: readonly FilePermission[] = [
  { path: "/admin/exports/submissions.csv", allowed: ["admin"] },
  { path: "/admin/exports/tickets.csv", allowed: ["admin"] },
  { path: "/admin/exports/activity.csv", allowed: ["admin"] },
  { path: "/admin/exports/organizations.csv", allowed: ["admin"] },
  { path: "/admin/exports/members.csv", allowed: ["admin"] },
  { path: "/admin/exports/analytics.csv", allowed: ["moderator", "admin"] },
  { path: "/admin/exports/report.csv", allowed: ["moderator", "admin"] },
  { path: "/admin/exports/report.pdf?type=users", allowed: ["moderator", "admin"] },
  { path: "/admin/exports/letters.csv", allowed: ["moderator", "admin"] },
  // Technicians do not learn that these exist.
  { path: "/admin/exports/users.csv", allowed: ["admin"], otherStaff: 404 },
  { path: "/client/exports/tickets.csv", allowed: ALLOWED.member },
  { path: "/client/exports/members.csv", allowed: ["organization_admin", "owner"] },
  { path: "/client/exports/letters.csv", allowed: ["organization_admin", "owner"] },
];

/** Lists the live channels. `foreign`: who works in an organization, and asks for another one. */
type SocketPermission = { path: string; allowed: readonly Persona[]; foreign?: readonly Persona[] };

export const SOCKETS: readonly SocketPermission[] = [
  { path: "/admin/live", allowed: ["moderator", "admin"] },
  { path: "/client/live", allowed: ALLOWED.member },
  { path: "/client/live?organization=org_1", allowed: ALLOWED.member },
  { path: "/client/live?organization=org_2", allowed: [], foreign: ALLOWED.member },
];
