import { encrypt, hashToken } from "~/platform/crypto.server";
import { bindings, testContext, WEDNESDAY } from "../../support/context";
import type { DatabaseBefore } from "../../support/earlier-database";

const at = WEDNESDAY - 60_000;
const record = { created_at: at, updated_at: at };
export const jordan = {
  id: "usr_jordan",
  email: "tech@wrenfield.example",
  fullName: "Jördis Vale",
  role: "moderator" as const,
};
/** Holds what the cookies of a browser still say: its session, and the form that waits for its owner. */
export const browserOfJordan = { sessionId: "s".repeat(43), unsentFormId: "f".repeat(43) };
export const unsentForm = {
  path: "/admin/submissions/sub_priya",
  purpose: "note",
  fields: [["note", "Half a sentence"]] as [string, string][],
};

/** Writes what the version before had written, by its own SQL: rows of every kind in the tables that change. */
export async function fillAsBefore({ insert }: DatabaseBefore) {
  await insert("users", {
    ...record,
    id: jordan.id,
    email: jordan.email,
    full_name: jordan.fullName,
    status: "active",
  });
  await insert("user_roles", { user_id: jordan.id, role: jordan.role });
  await insert("sessions", {
    id_hash: hashToken(browserOfJordan.sessionId),
    user_id: jordan.id,
    epoch: 0,
    aal: 2,
    created_at: at,
    last_seen_at: at,
    idle_expires_at: at + 1_800_000,
    abs_expires_at: at + 43_200_000,
    reauth_at: at,
    ua_label: "Firefox on Windows",
    ip_prefix: "203.0.113.0",
  });
  const { DATA_KEK_1: key = "" } = testContext().config;
  await insert("held_forms", {
    user_id: jordan.id,
    id_hash: hashToken(browserOfJordan.unsentFormId),
    form_enc: encrypt(key, `held_forms:form:${jordan.id}`, JSON.stringify(unsentForm)),
    expires_at: at + 1_800_000,
  });
  const view = { list: "submissions", owner_id: jordan.id, created_at: at };
  await insert("saved_views", { ...view, id: "view_1", shared: 1, name: "Waiting for us", query: "status=contacted" });
  await insert("organizations", { ...record, id: "org_1", name: "Larkspur Ơn Жизнь Ωmega", slug: "larkspur-row" });
  await bindings.FILES.put("att/plan", "%PDF-1.7");
  const file = { name: "plan.pdf", kind: "pdf", size: 8, sha256: "x", created_at: at };
  await insert("attachments", { ...file, id: "att_1", r2_key: "att/plan" });
  const submission = (id: string, number: number, first_name: string, attachment_id: string | null) =>
    insert("contact_submissions", {
      ...record,
      id,
      number,
      first_name,
      last_name: "Ramán",
      email: `${id}@larkspur.example`,
      status: "contacted",
      attachment_id,
      consent_at: at,
      consent_terms_version: "2026-11-01",
      ip_hash: "x",
      search_text: `${first_name.toLowerCase()} raman`,
      name_key: `${first_name.toLowerCase()} raman`,
      submitted_on: "2026-11-18",
    });
  await submission("sub_priya", 1001, "Priya", "att_1");
  await submission("sub_other", 1002, "Omar", null);
  await insert("submission_events", {
    id: "sev_1",
    submission_id: "sub_priya",
    from_status: "new",
    to_status: "contacted",
    actor_name: jordan.fullName,
    at,
  });
  const note = { ...record, admin_user_id: jordan.id, author_name: jordan.fullName };
  await insert("admin_notes", { ...note, id: "note_1", submission_id: "sub_priya", note: "Call back" });
  await insert("admin_notes", { ...note, id: "note_2", submission_id: "sub_priya", note: "Called", version: 2 });

  const event = (
    action: string,
    object_type: string,
    object_id: string | null,
    meta: object | null,
    actor = jordan.id as string | null,
  ) =>
    insert("audit_events", {
      at,
      actor_id: actor,
      actor_role: actor ? jordan.role : "visitor",
      action,
      object_type,
      object_id,
      org_id: object_type === "organization" ? object_id : null,
      ip: "203.0.113.7",
      request_id: "req",
      meta_json: meta && JSON.stringify(meta),
    });
  await event("submission.received", "submission", "sub_priya", {}, null);
  await event("submission.status_changed", "submission", "sub_priya", { from: "new", to: "contacted" });
  await event("submission.released", "submission", "sub_gone", { held: "no_bot_token" });
  await event("note.added", "note", "note_1", { submission: "sub_priya" });
  await event("note.edited", "note", "note_2", { submission: "sub_priya", before: "Call" });
  await event("session.started", "session", "hash_1", { aal: 2 });
  await event("session.refused", "session", null, { reason: "credentials" }, null);
  await event("mfa.enabled", "mfa", jordan.id, null);
  await event("user.password_locked", "user", jordan.id, null, null);
  await event("organization.created", "organization", "org_1", null);
  await event("settings.brand_changed", "settings", "brand", { before: {}, after: {} });
  await event("submission.assigned", "submission", "sub_priya", { owner: "Jördis Vale", follow_up_on: "2026-12-01" });
  await event("submission.exported", "submission", null, { rows: 12_345 });
  await event("submission.deleted", "submission", "nonce", { count: 2, ids: ["sub_x", "sub_y"] });

  const live = (seq: number, type: string, object_id: string, label: string, audience = "staff") =>
    insert("live_events", { seq, audience, type, object_id, label, at });
  await live(7, "new_submission", "sub_priya", "Priya Ramán");
  await live(8, "status_update", "", "2 submissions: Contacted");
  await live(9, "mfa_event", jordan.id, "Jördis Vale, a code was refused");
  await live(10, "ticket_event", "tic_1", "T-1001: a reply", "org:org_1");
  await insert("live_dismissals", { user_id: jordan.id, seq: 8 });

  const queued = (id: string, kind: string, object_id: string | null, to: string, data: object) =>
    insert("outbox", {
      id,
      kind,
      to_hash: id,
      params_enc: encrypt(key, `outbox:${id}`, JSON.stringify({ to, data })),
      object_id,
      priority: 1,
      status: "pending",
      next_at: at,
      created_at: at,
    });
  const about = { submissionId: "sub_priya", firstName: "Priya" };
  await queued("mail_received", "submission-received", "sub_priya", "priya@larkspur.example", about);
  await queued("mail_notice", "submission-notice", "sub_priya", "hello@wrenfield.example", {
    submissionId: "sub_priya",
    name: "Priya Ramán",
    email: "priya@larkspur.example",
    company: null,
    message: null,
  });
  await queued("mail_locked", "password-locked", null, jordan.email, {});
  await queued("mail_other", "submission-reply", "sub_other", "omar@larkspur.example", {
    submissionId: "sub_other",
    author: jordan.fullName,
    message: "Hello",
  });
  await queued("mail_cap", "submissions-over-cap", null, "cap@wrenfield.example", { day: "2026-11-17", cap: 200 });
  const past = { kind: "submission-received", to_hash: "x", object_id: "sub_priya", priority: 1, attempts: 1 };
  const ended = (id: string, status: string, rest: Record<string, string | number>) =>
    insert("outbox", { ...past, id, status, next_at: at, created_at: at, ...rest });
  await ended("mail_sent", "sent", { sent_at: at });
  await ended("mail_uncertain", "uncertain", { send_attempted_at: at, last_error: "timeout" });
  await ended("mail_dead", "dead", { last_error: "rejected" });
}
