import { createHmac, randomBytes } from "node:crypto";
import { COPIES_PREFIX } from "~/features/audit/chain.server";
import { AUDIT_ACTIONS } from "~/features/audit/model";
import { auditSearchText } from "~/features/audit/record-audit.server";
import { ERASED_PREFIX } from "~/features/privacy/model";
import { submissionNameKey, submissionSearchText } from "~/features/submissions/model";
import { ticketSearchText } from "~/features/tickets/queries.server";
import { mailboxOf, normalizeEmail } from "~/lib/email";
import { FORMER_MEMBER, fold } from "~/lib/text";
import { fingerprintOf } from "~/platform/crypto.server";

/**
 * What is replaced in the rows of a backup, by table and column, and as what. A test holds it against the schema: a new
 * column with text is either here or in `KEPT`, unless it is an id, a key of another table or one of a list of words.
 */
export const REPLACED = {
  settings: { value_json: "setting" },
  users: {
    ...{ email: "address", pending_email: "address", full_name: "words", search_name: "derived" },
    ...{ phone: "phone", password_hash: "secret" },
  },
  user_mfa_settings: { totp_secret: "secret" },
  mfa_audit_log: { ip_address: "network" },
  organizations: {
    ...{ name: "words", slug: "opaque", description: "text", phone: "phone" },
    ...{ search_name: "derived", search_description: "derived" },
  },
  organization_domains: { domain: "domain" },
  organization_memberships: { invited_email: "address", search_text: "derived" },
  contacts: { email: "address", full_name: "words", phone: "phone", search_name: "derived" },
  invitations: { id_hash: "opaque", email: "address", inviter_name: "words" },
  notifications: { label: "words" },
  saved_views: { name: "words", query: "query" },
  contact_submissions: {
    ...{ first_name: "words", last_name: "words", email: "address", phone: "phone", company: "words" },
    ...{ message: "text", estimate_json: "json", source: "word", campaign: "word", ip_hash: "opaque" },
    ...{ search_text: "derived", name_key: "derived" },
  },
  submission_events: { actor_name: "words" },
  submission_assignments: { owner_name: "words", actor_name: "words" },
  submission_replies: { actor_name: "words", message: "text" },
  support_tickets: {
    ...{ title: "words", description: "text", impact: "text", creator_name: "words", resolution: "text" },
    ...{ promise_json: "json", search_text: "derived" },
  },
  ticket_messages: { author_name: "words", message: "text" },
  ticket_events: { from_value: "word", to_value: "word", reason: "text", actor_name: "words" },
  ticket_copies: { email: "address", stopped_mailbox: "address" },
  proposed_copies: { email: "address" },
  ticket_votes: { comment: "text" },
  ticket_drafts: { message: "text", why_late: "text", what_was_done: "text" },
  undoable_replies: { before_json: "json" },
  admin_notes: { author_name: "words", note: "text" },
  attachments: { name: "file name", sha256: "derived" },
  canned_replies: { title: "words", message: "text" },
  allowance_entries: { actor_name: "words", reversed_by_name: "words", reversal_reason: "text" },
  letters: {
    ...{ facts_json: "json", words_json: "json", letter_json: "json", letter_hash: "derived" },
    ...{ released_by_name: "words", search_text: "derived" },
  },
  missing_paths: { path: "path" },
  imports: { file_name: "file name", file_json: "json", mapping_json: "json", problem: "word" },
  import_words: { word: "opaque" },
  import_rows: { reason: "words", label: "words", key: "opaque", data: "json" },
  inbound_mail: {
    ...{ envelope_from: "address", envelope_to: "address", from_address: "address", original_address: "address" },
    ...{ from_name: "words", subject: "words", mail_key: "opaque", details: "json" },
  },
  blocked_senders: { email: "address" },
  other_addresses: { email: "address" },
  outbox: { to_hash: "opaque", params_enc: "secret", last_error: "word" },
  mail_events: { actor_name: "words" },
  mail_address_holds: { to_hash: "opaque", reason: "word" },
  mail_checks: { token: "opaque", domain: "domain" },
  mail_delivery_events: { reason: "word" },
  live_events: { label: "words" },
  security_alerts: { subject: "limited", acknowledged_name: "words", note: "text" },
  legal_holds: { reason: "text", placed_by_name: "words", lifted_by_name: "words" },
  person_erasures: { name: "words", email: "address" },
  erased_addresses: { email_hash: "opaque" },
  audit_events: {
    ...{ actor_name: "words", actor_email: "address", subject_label: "words", ip: "network", meta_json: "json" },
    search_text: "derived",
  },
};

/** Texts that name nobody: ids, stored words, days, tokens of ids, counts. */
export const KEPT = {
  settings: ["key", "updated_by"],
  counters: ["name"],
  calendars_in_force: ["calendar"],
  user_mfa_settings: ["preferred_method"],
  mfa_audit_log: ["action", "method", "failure_reason"],
  organizations: ["add_ons"],
  organization_memberships: ["invited_by"],
  invitations: ["invited_by"],
  notification_preferences: ["event"],
  quiet_hours: ["from_clock", "until_clock"],
  muted_subjects: ["subject_type"],
  notifications: ["event", "subject_type"],
  saved_views: ["list"],
  contact_submissions: ["consent_terms_version", "submitted_on", "follow_up_on"],
  submission_events: ["from_status", "to_status"],
  submission_assignments: ["follow_up_on"],
  support_tickets: ["category", "follow_up_of", "old_number", "viewers"],
  ticket_messages: ["not_to"],
  ticket_people: ["added_by"],
  ticket_copies: ["added_by"],
  ticket_drafts: ["not_to"],
  bulk_ticket_changes: ["value", "rows_json"],
  admin_notes: ["subject_type"],
  attachments: ["r2_key", "kind", "subject_type"],
  canned_replies: ["category"],
  allowance_entries: ["contract_year"],
  letters: ["month"],
  letter_months: ["month"],
  ticket_metrics: ["day", "again_on", "detail", "counts"],
  daily_metrics: ["day", "counts"],
  days_to_sum: ["day"],
  page_views: ["day", "path"],
  missing_paths: ["day"],
  imports: ["file_key", "archive_key"],
  import_words: ["meaning"],
  imported_records: ["old_number"],
  inbound_mail: ["object_key", "reason"],
  blocked_senders: ["blocked_by"],
  other_addresses: ["added_by"],
  outbox: ["kind", "subject_type"],
  mail_events: ["event", "detail"],
  live_events: ["audience", "subject_type"],
  security_alerts: ["acknowledged_by"],
  retention_runs: ["day"],
  erasures: ["subject_type"],
  audit_events: ["actor_role", "on_behalf_of", "action", "subject_type"],
};

const SYLLABLES =
  "ba be bi bo da de di do fa fe fi fo ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo za ze zi zo".split(
    " ",
  );
const FILLING =
  "a the this that with from into over under after before once every other first second later soon again still quite rather paper window garden river table letter bridge morning evening summer winter light stone water bread music clock train market corner village".split(
    " ",
  );

/** A word as the product stores them, an id, a number or a time: what is written for machines. */
const STORED = /^(?:[a-z0-9][a-z0-9_:-]*|[A-Z]-\d+|[\d.:TZ+-]+|[A-Z][A-Za-z_]+(?:\/[A-Za-z_]+)+)$/;
const PROPERTY = /^[a-z][A-Za-z0-9_]*$/;
const DOTTED = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const REFERENCE = /^[A-Z]-\d+[:,.]?$/;
const ADDRESS = /[^\s@<>"',;:]+@[^\s@<>"',;:]+/g;
/** The longest of the short texts. What is longer keeps nothing but its length. */
const SHORT = 200;

/**
 * Replaces names, addresses, numbers, what people wrote and what is in their files, while a backup is read. The same
 * text is replaced by the same one wherever it stands, so that who belongs together still does. The key is of this run
 * and is kept nowhere: nobody can tell afterwards what stood there.
 */
export function personalDataReplacer(key = randomBytes(32)) {
  const hash = (text) => createHmac("sha256", key).update(text).digest();
  const code = (text, length) => hash(text).toString("hex").slice(0, length);
  const known = new Set();
  const words = new Map();

  const wordFor = (word) => {
    const folded = fold(word);
    if (!words.has(folded)) {
      const bytes = hash(folded);
      const made = Array.from(bytes.subarray(0, 12), (byte) => SYLLABLES[byte % SYLLABLES.length]).join("");
      words.set(folded, made.slice(0, Math.max(2, Math.min(made.length, folded.length))));
    }
    const made = words.get(folded);
    return /^\p{Lu}/u.test(word) ? made[0].toUpperCase() + made.slice(1) : made;
  };
  const digitsFor = (digits) =>
    Array.from({ length: digits.length }, (_, at) => hash(`${digits} ${at >> 5}`)[at & 31] % 10).join("");

  const domain = (name) => {
    known.add(name);
    return `d${code(name.toLowerCase(), 8)}.example`;
  };
  const address = (email) => {
    if (email === "" || email.endsWith("@erased.invalid")) return email;
    known.add(email);
    const [normal, mailbox] = [normalizeEmail(email), mailboxOf(email)];
    const tag = normal === mailbox ? "" : `+${code(normal, 6)}`;
    return `p${code(mailbox, 12)}${tag}@${domain(mailbox.slice(mailbox.lastIndexOf("@") + 1))}`;
  };
  const inWords = (text) => {
    if (text === FORMER_MEMBER) return text;
    if (STORED.test(text)) known.add(text);
    return text
      .split(/(\s+)/)
      .map((part) => {
        if (REFERENCE.test(part)) return part;
        if (part.includes("@")) return part.replace(ADDRESS, address);
        return part.replace(/[\p{L}\p{M}]+|\p{N}+/gu, (run) => (/^\p{N}/u.test(run) ? digitsFor(run) : wordFor(run)));
      })
      .join("");
  };
  const filled = (line) => {
    if (line.trim() === "") return line;
    const bytes = hash(line);
    let made = "";
    for (let at = 0; made.length < line.length; at += 1) made += `${FILLING[(bytes[at % 32] + at) % FILLING.length]} `;
    return `${made[0].toUpperCase()}${made.slice(1, line.length)}`.trimEnd();
  };
  const text = (written) => written.split("\n").map(filled).join("\n");

  const isStored = (value) =>
    !known.has(value) && (STORED.test(value) || AUDIT_ACTIONS.includes(value) || !/[\p{L}\p{N}]/u.test(value));
  const leaf = (value) => {
    if (typeof value !== "string") return value;
    if (isStored(value)) return value;
    if (DOTTED.test(value)) return domain(value);
    return value.length > SHORT ? text(value) : inWords(value);
  };
  const nameOf = (name) => (PROPERTY.test(name) && !known.has(name) ? name : leaf(name));
  const leaves = (value, change) => {
    if (Array.isArray(value)) return value.map((one) => leaves(one, change));
    if (value === null || typeof value !== "object") return change(value);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [nameOf(name), leaves(one, change)]));
  };
  const inJson = (change) => (json) => (json === "" ? json : JSON.stringify(leaves(JSON.parse(json), change)));

  const kinds = {
    address,
    domain,
    text,
    words: inWords,
    /** A stored word stays, a name or what a machine elsewhere has said does not. */
    word: (value) => (isStored(value) ? value : inWords(value)),
    json: inJson(leaf),
    /** Those of the site are its own, but where it mails to. */
    setting: inJson((value) => (typeof value === "string" ? value.replace(ADDRESS, address) : value)),
    /** Numbers that are given to nobody. */
    phone: (number) => (number === "" ? "" : `+1 202 555 01${digitsFor(number).slice(-2).padStart(2, "0")}`),
    /** Addresses that lead nowhere. */
    network: (ip) => {
      const [one, other] = hash(ip);
      return ip.includes(":") ? `2001:db8::${code(ip, 4)}` : `198.18.${one}.${other}`;
    },
    opaque: (value) => code(value, Math.max(12, Math.min(value.length, 64))),
    path: (path) => (path === "" ? "" : `/${code(path, 10)}`),
    "file name": (name) => {
      const [, base, ending] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(name);
      return inWords(base) + (ending ?? "");
    },
    query: (query) => {
      const entries = [...new URLSearchParams(query)];
      return String(new URLSearchParams(entries.map(([name, value]) => [name, value === "" ? "" : leaf(value)])));
    },
    /** The type of a limit and whom it holds, or the id of an account. */
    limited: (subject) => {
      const [type, ...rest] = subject.split(" ");
      return rest.length > 0 ? `${type} ${code(rest.join(" "), 24)}` : subject;
    },
    /** Encrypted or hashed, and of no use without the keys of the site. An empty one says that there never was any. */
    secret: (value) => (value === "" ? "" : null),
  };

  const people = new Map();
  const companies = new Map();
  /** What is made of other columns, as the product makes it. */
  const derived = {
    users: (row) => {
      if (row.search_name !== "") row.search_name = fold(row.full_name);
      people.set(row.id, `${row.search_name} ${row.email}`);
    },
    organizations: (row) => {
      row.search_name = fold(row.name);
      row.search_description = fold(row.description);
      companies.set(row.id, row);
    },
    organization_memberships: (row) => {
      const person = people.get(row.user_id) ?? row.invited_email?.toLowerCase() ?? "";
      row.search_text = `${person}\n${companies.get(row.organization_id)?.search_name ?? ""}`;
    },
    contacts: (row) => {
      if (row.search_name !== "") row.search_name = fold(row.full_name);
    },
    contact_submissions: (row) => {
      const sender = { firstName: row.first_name, lastName: row.last_name, email: row.email, company: row.company };
      row.search_text = submissionSearchText(sender);
      row.name_key = submissionNameKey(sender);
    },
    support_tickets: (row) => {
      const { title, number, old_number: oldNumber, description, organization_id } = row;
      const organization = companies.get(organization_id)?.name ?? "";
      row.search_text = ticketSearchText({ title, number, oldNumber, description, organization });
    },
    letters: (row) => {
      if (row.letter_json !== null) row.letter_hash = fingerprintOf(row.letter_json);
      row.search_text = companies.get(row.organization_id)?.search_name ?? "";
    },
    attachments: (row) => {
      row.sha256 = fingerprintOf(contentOf(row.size));
    },
    audit_events: (row) => {
      const meta = row.meta_json ? JSON.parse(row.meta_json) : {};
      const actor = { name: row.actor_name, email: row.actor_email };
      row.search_text = auditSearchText({ action: row.action, label: row.subject_label, meta, actor });
    },
  };

  return {
    /** The chain is made anew by the job that seals: what it was computed from is not the same any more. */
    leftOut: ["audit_seals"],
    row: (table, row) => {
      const replaced = { ...row };
      for (const [column, kind] of Object.entries(REPLACED[table] ?? {})) {
        if (typeof row[column] === "string" && kind !== "derived") replaced[column] = kinds[kind](row[column]);
      }
      derived[table]?.(replaced);
      return replaced;
    },
    /** Returns what is in a file instead: as much, and nothing of it. Null: it would say what the database does not. */
    file: ({ key: name, size }) =>
      [COPIES_PREFIX, ERASED_PREFIX].some((prefix) => name.startsWith(prefix)) ? null : Buffer.from(contentOf(size)),
  };
}

const LINE = "What was in this file is replaced for a rehearsal.\n";

const contentOf = (size) => LINE.repeat(Math.ceil(size / LINE.length)).slice(0, size);
