/*
 * Who may open what: every route, by method, for nine kinds of people. The test beside it walks this table against the
 * loaders and actions themselves and fails when a route is missing from it.
 */

export const PERSONAS = [
  "anonymous",
  "user_without_organization",
  "member",
  "organization_admin",
  "owner",
  "suspended_member",
  "moderator",
  "admin_without_second_factor",
  "admin",
] as const;
export type Persona = (typeof PERSONAS)[number];

/**
 * Kinds of doors. `anyone` asks nobody who they are; `strangers` sends the signed-in where they belong; `setting_up` is
 * open to people who must set up a second factor before anything else is.
 */
export type Door = "anyone" | "strangers" | "setting_up" | "signed_in" | "staff" | "admin";

/**
 * Who gets through a door; the others are told to sign in (302, a post 401), led to the set-up of their second factor
 * (303), or told that they may not (403).
 */
export const ADMITTED: Record<Door, readonly Persona[]> = {
  anyone: PERSONAS,
  strangers: ["anonymous"],
  setting_up: PERSONAS.filter((persona) => persona !== "anonymous"),
  signed_in: PERSONAS.filter((persona) => persona !== "anonymous" && persona !== "admin_without_second_factor"),
  staff: ["moderator", "admin"],
  admin: ["admin"],
};

/**
 * What those who are admitted get for a bare request: no query, an id that does not exist, and a form without an
 * intent or a token.
 * Anything but 200 says that the door is open and the request is not good enough.
 */
type Answer = { door: Door; status: number };

export type RoutePermissions = { path: string; params?: Record<string, string>; get?: Answer; post?: Answer };

const page = (path: string, door: Door, status = 200): RoutePermissions => ({ path, get: { door, status } });
const form = (path: string, door: Door, post = 400): RoutePermissions => ({
  path,
  get: { door, status: 200 },
  post: { door: door === "strangers" ? "anyone" : door, status: post },
});

export const PERMISSIONS: Record<string, RoutePermissions> = {
  "[.]well-known.change-password": page("/.well-known/change-password", "anyone", 302),
  _account: page("/profile", "setting_up"),
  "_account.profile._index": {
    path: "/profile",
    get: { door: "setting_up", status: 200 },
    post: { door: "signed_in", status: 400 },
  },
  "_account.profile.backup-codes": {
    path: "/profile/backup-codes",
    get: { door: "setting_up", status: 405 },
    post: { door: "setting_up", status: 400 },
  },
  "_account.profile.confirm": form("/profile/confirm", "setting_up"),
  "_account.profile.mfa": form("/profile/mfa", "setting_up"),
  "_account.profile.sessions": form("/profile/sessions", "signed_in"),
  // No form waits for these people, so there is nothing to show.
  "_account.profile.unsent": {
    path: "/profile/unsent",
    get: { door: "signed_in", status: 303 },
    post: { door: "signed_in", status: 400 },
  },
  _auth: page("/auth", "anyone"),
  "_auth.auth": form("/auth", "strangers"),
  "_auth.client.auth": form("/client/auth", "strangers"),
  "_auth.email-change": form("/email-change", "anyone"),
  "_auth.login": form("/login", "strangers"),
  "_auth.not-me": form("/not-me", "anyone"),
  // Somebody administers this world already, so the page does not exist.
  "_auth.setup": {
    path: "/setup",
    get: { door: "anyone", status: 404 },
    post: { door: "anyone", status: 404 },
  },
  "_auth.verify-email": form("/verify-email", "anyone"),
  _admin: page("/admin", "staff"),
  "_admin.admin._index": page("/admin", "staff"),
  "_admin.admin.activity": page("/admin/activity", "staff"),
  "_admin.admin.attachments.$attachmentId": {
    ...page("/admin/attachments/att_nobody", "staff", 404),
    params: { attachmentId: "att_nobody" },
  },
  "_admin.admin.exports.$file": {
    ...page("/admin/exports/nothing.csv", "staff", 404),
    params: { file: "nothing.csv" },
  },
  "_admin.admin.live": page("/admin/live", "staff", 426),
  "_admin.admin.notifications": form("/admin/notifications", "staff"),
  "_admin.admin.settings": page("/admin/settings", "admin"),
  "_admin.admin.submissions._index": form("/admin/submissions", "staff"),
  "_admin.admin.submissions.$submissionId": {
    path: "/admin/submissions/sub_nobody",
    params: { submissionId: "sub_nobody" },
    get: { door: "staff", status: 404 },
    post: { door: "staff", status: 400 },
  },
  "_admin.admin.submissions.$submissionId_.notes.$noteId": {
    path: "/admin/submissions/sub_nobody/notes/note_nobody",
    params: { submissionId: "sub_nobody", noteId: "note_nobody" },
    get: { door: "staff", status: 404 },
    post: { door: "staff", status: 303 },
  },
  "_admin.admin.submissions.$submissionId_.notes.$noteId_.delete": {
    path: "/admin/submissions/sub_nobody/notes/note_nobody/delete",
    params: { submissionId: "sub_nobody", noteId: "note_nobody" },
    get: { door: "staff", status: 404 },
    post: { door: "staff", status: 303 },
  },
  "_admin.admin.submissions.delete": form("/admin/submissions/delete", "admin"),
  "_admin.admin.views": {
    path: "/admin/views",
    get: { door: "staff", status: 302 },
    post: { door: "staff", status: 400 },
  },
  _portal: page("/client", "signed_in"),
  "_portal.client._index": page("/client", "signed_in"),
  _site: page("/", "anyone"),
  "_site.$": page("/nothing-here", "anyone", 404),
  "_site.contact": form("/contact", "anyone"),
  "_site.industries.$slug": { ...page("/industries/nothing", "anyone", 404), params: { slug: "nothing" } },
  "_site.services.$serviceId": { ...page("/services/nothing", "anyone", 404), params: { serviceId: "nothing" } },
  "_site.pricing": page("/pricing", "anyone"),
  "csp-report": { path: "/csp-report", get: { door: "anyone", status: 405 }, post: { door: "anyone", status: 204 } },
  "dev.mail": page("/dev/mail", "anyone"),
  "dev.mail[.]json": page("/dev/mail.json", "anyone"),
  healthz: page("/healthz", "anyone"),
  logout: {
    path: "/logout",
    get: { door: "anyone", status: 405 },
    post: { door: "anyone", status: 303 },
  },
  "robots[.]txt": page("/robots.txt", "anyone"),
  "sitemap[.]xml": page("/sitemap.xml", "anyone"),
  theme: {
    path: "/theme",
    get: { door: "anyone", status: 405 },
    post: { door: "anyone", status: 400 },
  },
};
