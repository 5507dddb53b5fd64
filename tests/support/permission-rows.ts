export const PERSONAS = [
  "anonymous",
  "user_without_organization",
  "member",
  "organization_admin",
  "owner",
  "suspended_member",
  "pending_member",
  "moderator",
  "admin_without_second_factor",
  "admin",
] as const;
export type Persona = (typeof PERSONAS)[number];

/**
 * Lists the kinds of access. `anyone`: no check; `signed_out`: signed-in people are redirected to their own area;
 * `setting_up`: also people who must set up a second factor first; `member`: people with an active membership.
 */
export type Access =
  | "anyone"
  | "signed_out"
  | "setting_up"
  | "signed_in"
  | "member"
  | "organization_admins"
  | "organization_owner"
  | "staff"
  | "admin";

/**
 * Lists the people with each kind of access. The others are redirected to the sign-in page (302, a post gets 401) or to
 * the setup of their second factor (303), or get 403.
 */
export const ALLOWED: Record<Access, readonly Persona[]> = {
  anyone: PERSONAS,
  signed_out: ["anonymous"],
  setting_up: PERSONAS.filter((persona) => persona !== "anonymous"),
  signed_in: PERSONAS.filter((persona) => persona !== "anonymous" && persona !== "admin_without_second_factor"),
  member: ["member", "organization_admin", "owner"],
  organization_admins: ["organization_admin", "owner"],
  organization_owner: ["owner"],
  staff: ["moderator", "admin"],
  admin: ["admin"],
};

/**
 * Holds the `status` that people with access get for a minimal request: no query, an id that does not exist, and a form
 * without an intent or a token. So it may be an error other than 403.
 */
type Permission = {
  access: Access;
  status: number;
  /** Holds the status of the whole page, where its form was refused but the page itself is not there. */
  pageStatus?: number;
};

export type RoutePermissions = { path: string; params?: Record<string, string>; get?: Permission; post?: Permission };

/** Describes a page without forms. */
export const page = (path: string, access: Access, status = 200): RoutePermissions => ({
  path,
  get: { access, status },
});
/** Names the parameter of an address in which ids of this kind stand. */
const ID_PARAMS: Record<string, string> = {
  can: "reply",
  imp: "importId",
  inm: "mailId",
  ltr: "letterId",
  mem: "membershipId",
  note: "noteId",
  org: "organizationId",
  sub: "submissionId",
  usr: "userId",
};

/** Describes a page of one record, opened and posted to with ids that do not exist: `/admin/users/usr_missing`. */
export const record = (path: string, access: Access, post: number): RoutePermissions => ({
  path,
  params: Object.fromEntries(
    [...path.matchAll(/([a-z]+)_missing/g)].map(([id, kind = ""]) => [ID_PARAMS[kind] ?? kind, id]),
  ),
  get: { access, status: 404 },
  post: { access, status: post },
});

/** Describes a page of one record whose form is refused before anybody looks for the record. */
export const recordOfForm = (path: string, access: Access): RoutePermissions => ({
  ...record(path, access, 400),
  post: { access, status: 400, pageStatus: 404 },
});

/** Describes a page with forms. */
export const form = (path: string, access: Access, post = 400): RoutePermissions => ({
  path,
  get: { access, status: 200 },
  post: { access: access === "signed_out" ? "anyone" : access, status: post },
});
