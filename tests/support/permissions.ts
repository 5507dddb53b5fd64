/*
 * Lists who may open every route, by method, for ten kinds of people. `tests/http/permission-matrix.test.ts` checks it
 * against the loaders and actions and fails when a route is missing. `tests/worker/permission-matrix.test.ts` checks it
 * against the whole worker.
 */

import { form, page, type RoutePermissions, record } from "./permission-rows";

export { type Access, ALLOWED, PERSONAS, type Persona } from "./permission-rows";

export const PERMISSIONS: Record<string, RoutePermissions> = {
  "[.]well-known.change-password": page("/.well-known/change-password", "anyone", 302),
  _account: page("/profile", "setting_up"),
  "_account.profile._index": {
    path: "/profile",
    get: { access: "setting_up", status: 200 },
    post: { access: "signed_in", status: 400 },
  },
  "_account.profile.backup-codes": {
    path: "/profile/backup-codes",
    get: { access: "setting_up", status: 405 },
    post: { access: "setting_up", status: 400 },
  },
  "_account.profile.confirm": form("/profile/confirm", "setting_up"),
  "_account.profile.mfa": form("/profile/mfa", "setting_up"),
  "_account.profile.notifications": form("/profile/notifications", "signed_in"),
  "_account.profile.sessions": form("/profile/sessions", "signed_in"),
  // These people have no unsent form, so there is nothing to show.
  "_account.profile.unsent": {
    path: "/profile/unsent",
    get: { access: "signed_in", status: 303 },
    post: { access: "signed_in", status: 400 },
  },
  _auth: page("/auth", "anyone"),
  "_auth.auth": form("/auth", "signed_out"),
  "_auth.client.auth": form("/client/auth", "signed_out"),
  "_auth.email-change": form("/email-change", "anyone"),
  // Without the link of an invitation there is nothing to show.
  "_auth.invite": {
    path: "/invite",
    get: { access: "anyone", status: 404 },
    post: { access: "anyone", status: 400 },
  },
  "_auth.login": form("/login", "signed_out"),
  "_auth.not-me": form("/not-me", "anyone"),
  // There is an admin already, so the page does not exist.
  "_auth.setup": {
    path: "/setup",
    get: { access: "anyone", status: 404 },
    post: { access: "anyone", status: 404 },
  },
  // Without the link of a mail there is nothing to answer.
  "_auth.solved": {
    path: "/solved",
    get: { access: "anyone", status: 404 },
    post: { access: "anyone", status: 400 },
  },
  "_auth.verify-email": form("/verify-email", "anyone"),
  _admin: page("/admin", "staff"),
  "_admin.admin.$": page("/admin/nothing-here", "staff", 404),
  "_admin.admin._index": form("/admin", "staff"),
  "_admin.admin.activity": page("/admin/activity", "staff"),
  "_admin.admin.analytics._index": page("/admin/analytics", "staff"),
  // Without a number there are no rows behind it.
  "_admin.admin.analytics.rows": page("/admin/analytics/rows", "staff", 400),
  "_admin.admin.attachments.$attachmentId": {
    ...page("/admin/attachments/att_missing", "staff", 404),
    params: { attachmentId: "att_missing" },
  },
  "_admin.admin.exports.$file": {
    ...page("/admin/exports/nothing.csv", "staff", 404),
    params: { file: "nothing.csv" },
  },
  "_admin.admin.exports.report[.]csv": page("/admin/exports/report.csv", "staff"),
  "_admin.admin.exports.report[.]pdf": page("/admin/exports/report.pdf", "staff"),
  "_admin.admin.live": page("/admin/live", "staff", 426),
  "_admin.admin.members._index": {
    path: "/admin/members",
    get: { access: "staff", status: 200 },
    post: { access: "admin", status: 400 },
  },
  "_admin.admin.members.$membershipId.remove": record("/admin/members/mem_missing/remove", "admin", 303),
  "_admin.admin.notifications": form("/admin/notifications", "staff"),
  "_admin.admin.exports.person[.]zip": page("/admin/exports/person.zip?person=usr_missing", "admin", 404),
  "_admin.admin.privacy._index": form("/admin/privacy", "admin"),
  "_admin.admin.privacy.consents": page("/admin/privacy/consents", "admin"),
  "_admin.admin.privacy.$personId": {
    path: "/admin/privacy/usr_missing",
    get: { access: "admin", status: 404 },
    post: { access: "admin", status: 400 },
    params: { personId: "usr_missing" },
  },
  "_admin.admin.search": page("/admin/search", "staff"),
  "_admin.admin.organizations._index": page("/admin/organizations", "staff"),
  "_admin.admin.organizations.new": form("/admin/organizations/new", "admin"),
  "_admin.admin.organizations.$organizationId": record("/admin/organizations/org_missing", "staff", 400),
  "_admin.admin.organizations.$organizationId_.delete": record("/admin/organizations/org_missing/delete", "admin", 400),
  "_admin.admin.organizations.$organizationId_.transfer": record(
    "/admin/organizations/org_missing/transfer",
    "admin",
    400,
  ),
  "_admin.admin.organizations.$organizationId_.notes.$noteId": record(
    "/admin/organizations/org_missing/notes/note_missing",
    "staff",
    303,
  ),
  "_admin.admin.organizations.$organizationId_.notes.$noteId_.delete": record(
    "/admin/organizations/org_missing/notes/note_missing/delete",
    "staff",
    303,
  ),
  "_admin.admin.security._index": form("/admin/security", "admin"),
  "_admin.admin.security.events": page("/admin/security/events", "admin"),
  "_admin.admin.security.mfa": page("/admin/security/mfa", "admin"),
  "_admin.admin.security.sessions": page("/admin/security/sessions", "admin"),
  "_admin.admin.reports": page("/admin/reports", "staff"),
  "_admin.admin.settings": form("/admin/settings", "admin"),
  "_admin.admin.submissions._index": form("/admin/submissions", "staff"),
  "_admin.admin.submissions.$submissionId": record("/admin/submissions/sub_missing", "staff", 400),
  "_admin.admin.submissions.$submissionId_.notes.$noteId": record(
    "/admin/submissions/sub_missing/notes/note_missing",
    "staff",
    303,
  ),
  "_admin.admin.submissions.$submissionId_.notes.$noteId_.delete": record(
    "/admin/submissions/sub_missing/notes/note_missing/delete",
    "staff",
    303,
  ),
  "_admin.admin.canned-replies._index": page("/admin/canned-replies", "staff"),
  "_admin.admin.canned-replies.$reply": {
    path: "/admin/canned-replies/can_missing",
    params: { reply: "can_missing" },
    get: { access: "staff", status: 404 },
    post: { access: "staff", status: 400 },
  },
  "_admin.admin.tickets.$ticket": record("/admin/tickets/ticket_missing", "staff", 400),
  "_admin.admin.submissions.delete": form("/admin/submissions/delete", "admin"),
  "_admin.admin.tickets._index": form("/admin/tickets", "staff"),
  "_admin.admin.tickets.new": form("/admin/tickets/new", "staff"),
  "_admin.admin.users._index": form("/admin/users", "admin"),
  "_admin.admin.users.new": form("/admin/users/new", "admin"),
  "_admin.admin.users.$userId": record("/admin/users/usr_missing", "admin", 400),
  "_admin.admin.views": {
    path: "/admin/views",
    get: { access: "staff", status: 302 },
    post: { access: "staff", status: 400 },
  },
  "_portal.client.attachments.$attachmentId": {
    ...page("/client/attachments/att_missing", "member", 404),
    params: { attachmentId: "att_missing" },
  },
  "_portal.client.exports.$file": {
    ...page("/client/exports/nothing.csv", "organization_admins", 404),
    params: { file: "nothing.csv" },
  },
  "_portal.client.search": page("/client/search", "member"),
  "_portal.client.notifications": form("/client/notifications", "member"),
  "_portal.client.organization._index": form("/client/organization", "organization_admins", 409),
  "_portal.client.organization.history": page("/client/organization/history", "organization_owner"),
  "_portal.client.organization.leave": form("/client/organization/leave", "member", 409),
  "_portal.client.organization.transfer": form("/client/organization/transfer", "organization_owner", 409),
  "_portal.client.tickets.$ticket": {
    path: "/client/tickets/T-1",
    params: { ticket: "T-1" },
    get: { access: "member", status: 404 },
    post: { access: "member", status: 409 },
  },
  "_portal.client.tickets.new": {
    path: "/client/tickets/new",
    get: { access: "signed_in", status: 200 },
    post: { access: "member", status: 400 },
  },
  "_portal.create-ticket": {
    path: "/create-ticket",
    get: { access: "signed_in", status: 200 },
    post: { access: "member", status: 400 },
  },
  "_portal.client.tickets._index": form("/client/tickets", "member", 409),
  "_portal.client.team._index": form("/client/team", "organization_admins", 409),
  "_portal.client.team.$membershipId.remove": record("/client/team/mem_missing/remove", "organization_admins", 409),
  "_portal.client.team.invite": form("/client/team/invite", "organization_admins", 409),
  _portal: page("/client", "signed_in"),
  "_portal.client.$": page("/client/nothing-here", "signed_in", 404),
  "_portal.client._index": form("/client", "signed_in"),
  "_portal.client.live": page("/client/live", "member", 426),
  "_portal.client.switch": {
    path: "/client/switch",
    get: { access: "signed_in", status: 302 },
    post: { access: "signed_in", status: 400 },
  },
  _site: page("/", "anyone"),
  "_site.$": page("/nothing-here", "anyone", 404),
  "_site.contact": form("/contact", "anyone"),
  "_site.industries.$slug": { ...page("/industries/nothing", "anyone", 404), params: { slug: "nothing" } },
  "_site.services.$serviceId": { ...page("/services/nothing", "anyone", 404), params: { serviceId: "nothing" } },
  "_site.pricing": page("/pricing", "anyone"),
  "csp-report": {
    path: "/csp-report",
    get: { access: "anyone", status: 405 },
    post: { access: "anyone", status: 204 },
  },
  "dev.mail": page("/dev/mail", "anyone"),
  "dev.mail[.]json": page("/dev/mail.json", "anyone"),
  healthz: page("/healthz", "anyone"),
  logout: {
    path: "/logout",
    get: { access: "anyone", status: 405 },
    post: { access: "anyone", status: 303 },
  },
  "robots[.]txt": page("/robots.txt", "anyone"),
  "sitemap[.]xml": page("/sitemap.xml", "anyone"),
  theme: {
    path: "/theme",
    get: { access: "anyone", status: 405 },
    post: { access: "anyone", status: 400 },
  },
};
