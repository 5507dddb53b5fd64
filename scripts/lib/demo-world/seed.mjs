import { createHash } from "node:crypto";
import { brand } from "~/content/brand";
import { auditColumns } from "~/features/audit/record-audit.server";
import { sortableId } from "~/lib/ids";
import { dayIn, days, hours } from "~/lib/time";
import { seededRandom } from "../seeded-random.mjs";
import { insertRow } from "../sql.mjs";
import { addLetters } from "./add-letters.mjs";
import { addInvitations, addPeople } from "./add-people.mjs";
import { addSecurity } from "./add-security.mjs";
import { addSubmissions } from "./add-submissions.mjs";
import { addTickets } from "./add-tickets.mjs";

/**
 * Fills an empty local database with the demo world: the same people, organizations, submissions and tickets each time,
 * dated back from `now`. One transaction: a run that is interrupted leaves the database empty. `secrets` are the
 * worker's own, as stored passwords and sealed values must open there.
 */
export function seedDemoWorld(database, secrets, now = Date.now()) {
  console.log("Loading the demo world …");
  const world = openWorld(database, secrets, now);
  database.exec("begin immediate");
  const people = addPeople(world);
  addSettings(world, people.get("admin@wrenfield.example"));
  addSubmissions(world, people);
  addTickets(world, people);
  addLetters(world, people);
  addMissingPaths(world);
  addInvitations(world, people);
  addSecurity(world, people);
  world.writeHistory();
  database.exec("commit");
}

/** Holds the files of the demo world: of the newest ticket, and of a request whose text speaks of one. */
const DEMO_FILES = [
  {
    subject: "'ticket', id from support_tickets order by number desc limit 1",
    name: "scanner.txt",
    text: "08:12 room 2, to chart: 1 page, 4 KB\n08:14 room 2, to chart: 1 page, 4 KB\n08:19 room 1, to chart: 3 pages, 910 KB\n",
  },
  {
    subject: "'submission', id from contact_submissions where email like '%@lundarchitects%' limit 1",
    name: "machines.txt",
    text: "12 x workstation, 64 GB, two screens\n1 x file server, 8 TB, 7.6 TB used\n2 x plotter\n",
  },
];

/**
 * Lists mail that waits for staff: from an address at home of a person we know, from strangers who want a price, and a
 * reply that a machine wrote.
 */
const DEMO_MAILS = [
  {
    from: "Priya Nair <priya.nair@homebox.example>",
    hoursAgo: 3,
    subject: "Locked out of my mail since this morning",
    text: "Hi,\n\nmy password at work ran out over the weekend and now nothing lets me in, so I write from home. Can you reset it before ten? The first patient is at half past.\n\nThank you,\nPriya",
    ends: { state: "held", class: "person", reason: "unknown_sender" },
  },
  {
    from: "Hannah Coleman <hannah@colemanbooks.example>",
    hoursAgo: 27,
    subject: "Do you take on small accounting offices?",
    text: "Hello,\n\nwe are six people, all on laptops, and our current provider takes three days to answer. Harbor House gave us your address. What would Core cost for us, and how soon could you begin?\n\nHannah Coleman\nColeman Bookkeeping",
    ends: { state: "held", class: "person", reason: "unknown_sender" },
  },
  {
    from: "Noor Haddad <owner@littleoaks.example>",
    hoursAgo: 52,
    subject: "Automatic reply: Your letter of the month",
    headers: ["Auto-Submitted: auto-replied"],
    text: "I am out of the office until Monday and read mail again then.\n",
    ends: { state: "automatic", class: "automatic_reply", reason: "automatic" },
  },
];

const SUPPORT_ADDRESS = brand.supportEmail;

/** Adds what lies beside the database of the demo world. `files`: the file store, of which no server is running. */
export async function addDemoFiles(database, files, now = Date.now()) {
  const random = seededRandom(2);
  for (const { subject, name, text } of DEMO_FILES) {
    const id = sortableId("att", now, random.bytes(16));
    const bytes = new TextEncoder().encode(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    await files.put(`att/${id}`, bytes);
    database
      .prepare(
        `insert into attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id)
         select ?, ?, ?, 'txt', ?, ?, ?, ${subject}`,
      )
      .run(id, `att/${id}`, name, bytes.length, hash, now);
  }
  for (const { from, hoursAgo, subject, headers = [], text, ends } of DEMO_MAILS) {
    const at = now - hours(hoursAgo);
    const id = sortableId("inm", at, random.bytes(16));
    const [, name, address] = /^(.*) <(.*)>$/.exec(from);
    const start = [
      `From: ${from}`,
      `To: ${SUPPORT_ADDRESS}`,
      `Subject: ${subject}`,
      `Date: ${new Date(at).toUTCString()}`,
    ];
    const lines = [...start, `Message-ID: <${id}@${address.split("@")[1]}>`, ...headers, "", ...text.split("\n")];
    const bytes = new TextEncoder().encode(lines.join("\r\n"));
    await files.put(`mail/${id}`, bytes);
    insertRow(database, "inbound_mail", {
      ...{ id, envelope_from: address, envelope_to: SUPPORT_ADDRESS, size: bytes.length, object_key: `mail/${id}` },
      ...{ from_address: address, from_name: name, subject, next_at: at, received_at: at, attempts: 1, ...ends },
    });
  }
}

/**
 * Returns what the parts of the demo world share: clock, random numbers, ids and a function that writes rows. Both
 * records of what happened are numbered in order of writing, so entries are collected and written by time at the end.
 */
function openWorld(database, secrets, now) {
  const random = seededRandom(1);
  const history = { audit_events: [], live_events: [], mfa_audit_log: [] };
  const insert = (table, row) => insertRow(database, table, row);
  const newId = (prefix, at) => sortableId(prefix, at, random.bytes(16));
  const happened = (table, at, row) => history[table].push({ at, row });
  return {
    database,
    secrets,
    now,
    random,
    insert,
    newId,
    record: (prefix, at) => ({ id: newId(prefix, at), created_at: at, updated_at: at }),
    audit: (at, actor, action, subject, meta, organizationId = null) =>
      happened("audit_events", at, {
        ...auditColumns({ at, actor, action, subject, meta }),
        org_id: organizationId,
      }),
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

/**
 * Holds what the owner of the demo company has written about it. A new installation has none of it: a story, a founder
 * and a network brand are nobody's until somebody names theirs.
 */
const SETTINGS = {
  firstHourDoneAt: 1,
  companyDomain: "wrenfield.example",
  brand: {
    founder: "Robin Ashdown",
    networkBrand: "Alderlink",
    story: [
      "I used to be the person at a small clinic who “knew computers”. It wasn’t my job, so it happened at lunch, badly, and nothing was written down. When I left, everything I’d fixed left with me.",
      "This is the company I wanted to call back then: people whose job it is, who answer, who check that the fix held, and who leave a record you own.",
    ].join("\n\n"),
  },
};

/** Stores the settings of the demo company. The schedule publishes them to its pages. */
function addSettings(world, { id: updated_by }) {
  for (const [key, value] of Object.entries(SETTINGS)) {
    world.insert("settings", { key, value_json: JSON.stringify(value), version: 1, updated_at: world.now, updated_by });
  }
}

/** Lists what robots and old links ask for: days ago, path, how often. */
const ASKED = [
  [0, "/wp-login.php", 14],
  [0, "/services/it-support", 3],
  [0, "/team", 2],
  [1, "/wp-login.php", 31],
  [1, "/xmlrpc.php", 9],
  [1, "/services/it-support", 4],
  [1, "/pricing.html", 1],
  [3, "/.env", 6],
  [3, "/team", 2],
  [6, "/blog/backup-checklist", 5],
];

/** Writes the addresses without a page that were asked for in the last days, and a row for each whole day. */
function addMissingPaths(world) {
  const whole = new Map();
  for (const [daysAgo, path, hits] of ASKED) {
    const day = dayIn("UTC", world.now - days(daysAgo));
    const { number, sum } = whole.get(day) ?? { number: 0, sum: 0 };
    whole.set(day, { number: number + 1, sum: sum + hits });
    world.insert("missing_paths", { day, path, number: number + 1, hits });
  }
  for (const [day, { number, sum }] of whole) world.insert("missing_paths", { day, path: "", number, hits: sum });
}
