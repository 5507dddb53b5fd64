import { sql } from "drizzle-orm";
import { TERMS_VERSION } from "~/content/legal";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { WEDNESDAY } from "./context";

/** Holds the time of the newest row of filled tables; the others came before it. */
const NEWEST = WEDNESDAY - minutes(1);

/** Lists the numbers from one to before another, as the table `n`. */
export const numbers = ([from, to]: [number, number]) =>
  sql`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`;

/**
 * Fills submissions back in time, a quarter of an hour apart; triggers make of them what they make. One of them is by
 * Zelda Quirke Wu; many are to be taken up again some day, few of them by now, but more than are counted for a tab.
 */
export async function fillSubmissions({ db }: Ctx, userId: string, range: [number, number]) {
  await db.run(sql`
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text, name_key, submitted_on, owner_id, held_reason,
      follow_up_on)
    ${numbers(range)} SELECT printf('sub_%06d', i), ${NEWEST} - i * 900000, ${NEWEST}, 10000 + i, 'Ada', 'Becker',
      'ada@scale.example', CASE i % 3 WHEN 0 THEN 'new' WHEN 1 THEN 'contacted' ELSE 'resolved' END,
      1, 1, ${TERMS_VERSION}, 'x',
      CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE 'ada becker ada@scale.example' END,
      printf('ada %05d', i * 7919 % 20011), date((${NEWEST} - i * 900000) / 1000, 'unixepoch'),
      iif(i % 4 = 0, ${userId}, NULL), iif(i % 20 = 7, 'content', NULL),
      CASE WHEN i % 50 = 1 THEN '2026-11-01' WHEN i % 2 = 0 THEN '2099-01-01' END FROM n`);
}

/** Fills the activity back in time, ten seconds apart. One event is by Zelda Quirke Wu. */
export async function fillActivity({ db }: Ctx, userId: string, range: [number, number]) {
  await db.run(sql`
    INSERT INTO audit_events(at, actor_id, actor_role, actor_name, actor_email, action, subject_type, subject_id,
      subject_label, search_text)
    ${numbers(range)} SELECT ${NEWEST} - i * 10000, ${userId}, 'admin', 'Ada Becker', 'ada@scale.example',
      CASE i % 5 WHEN 0 THEN 'submission.received' WHEN 1 THEN 'submission.status_changed' WHEN 2 THEN 'note.added'
        WHEN 3 THEN 'session.started' ELSE iif(i % 20 = 4, 'settings.brand_changed', 'user.profile_changed') END,
      'submission', printf('sub_%06d', i), 'Ada Becker',
      CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE 'ada becker' END || char(10) || 'ada becker sent a request' ||
        char(10) || 'ada@scale.example' FROM n`);
}

/** Fills organizations, the newest first: one of them is Zelda Quirke Wu's, every twentieth is to be reviewed. */
export async function fillOrganizations({ db }: Ctx, _userId: string, range: [number, number]) {
  await db.run(sql`
    INSERT INTO organizations(id, created_at, updated_at, name, slug, description, plan, needs_review_at, search_name,
      search_description, active_ticket_count, number)
    ${numbers(range)} SELECT printf('org_%06d', i), ${NEWEST} - i * 900000, ${NEWEST}, 'Ada Becker', 'ada-becker-' || i,
      'Eleven laptops', 'core', iif(i % 20 = 7, 1, NULL),
      CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE printf('ada becker %05d', i * 7919 % 20011) END, 'eleven laptops',
      i % 40, 3000000 - i FROM n`);
}

/** Fills the live events of staff. */
export async function fillLiveEvents({ db }: Ctx, range: [number, number]) {
  await db.run(sql`
    INSERT INTO live_events(audience, type, subject_type, subject_id, label, actor_id, at)
    ${numbers(range)} SELECT 'staff', 'new_submission', 'submission', printf('sub_%06d', i), 'Ada Becker', NULL,
      ${NEWEST} - i FROM n`);
}

/** Fills the mails of invitations. */
const fillMails = ({ db }: Pick<Ctx, "db">, range: [number, number]) =>
  db.run(sql`
    INSERT INTO outbox(id, kind, to_hash, priority, status, next_at, created_at)
    ${numbers(range)} SELECT 'out_' || i, 'invitation', 'x', 1, 'sent', ${NEWEST}, ${NEWEST} FROM n
    WHERE true ON CONFLICT DO NOTHING`);

/**
 * Fills accounts, one of twenty an administrator's, one of twenty invited and not accepted yet. One is of Zelda Quirke
 * Wu.
 */
export async function fillUsers({ db }: Ctx, userId: string, range: [number, number]) {
  await db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status, listed_role)
    ${numbers(range)} SELECT printf('usr_%06d', i), ${NEWEST} - i * 1000, ${NEWEST}, i || '@scale.example', 'Ada Becker',
      CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE printf('ada becker %05d', i * 7919 % 20011) END,
      iif(i % 20 = 7, 'pending', 'active'),
      CASE WHEN i % 20 = 0 THEN 'admin' WHEN i % 10 = 1 THEN 'moderator' ELSE 'user' END FROM n`);
  await fillMails({ db }, range);
  await db.run(sql`
    INSERT INTO invitations(id_hash, user_id, email, invited_by, inviter_name, mail_id, created_at, expires_at)
    ${numbers(range)} SELECT 'hash_' || i, printf('usr_%06d', i), i || '@scale.example', ${userId}, 'Ada Becker',
      'out_' || i, ${NEWEST}, ${NEWEST} FROM n WHERE i % 20 = 7`);
}

/**
 * Fills the organizations that members and tickets belong to, with a large one. Their numbers are below those of the
 * list of organizations, whose rows are to be the newest, whichever list is filled first.
 */
const fillClients = ({ db }: Pick<Ctx, "db">, range: [number, number]) =>
  db.run(sql`
    INSERT INTO organizations(id, created_at, updated_at, name, slug, search_name, number)
    ${numbers(range)} SELECT printf('org_scale_%d', i), ${NEWEST}, ${NEWEST}, 'Cedar Dental',
      printf('cedar-%d', i), 'cedar dental', 1000000 - i FROM (SELECT 0 AS i UNION SELECT i FROM n) WHERE true ON CONFLICT DO NOTHING`);

/**
 * Fills memberships of people of their own. Half of them belong to one large organization, the others to one each.
 * One person is Zelda Quirke Wu.
 */
export async function fillMembers({ db }: Ctx, _userId: string, range: [number, number]) {
  await fillClients({ db }, range);
  await db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status)
    ${numbers(range)} SELECT printf('usr_scale_%06d', i), ${NEWEST}, ${NEWEST}, printf('ada%d@scale.example', i),
      iif(i = 150, 'Zelda Quirke Wu', 'Ada Becker'), iif(i = 150, 'zelda quirke wu', 'ada becker'), 'active' FROM n`);
  await db.run(sql`
    INSERT INTO organization_memberships(id, created_at, updated_at, organization_id, user_id, role, status,
      invited_email, joined_at)
    ${numbers(range)} SELECT printf('mem_scale_%06d', i), ${NEWEST} - i, ${NEWEST}, printf('org_scale_%d', iif(i % 2, 0, i)),
      iif(i % 5 = 3, NULL, printf('usr_scale_%06d', i)),
      CASE i % 4 WHEN 0 THEN 'owner' WHEN 1 THEN 'admin' ELSE 'member' END,
      CASE WHEN i % 5 = 3 THEN 'pending' WHEN i % 5 = 4 THEN 'suspended' ELSE 'active' END,
      iif(i % 5 = 3, printf('ada%d@scale.example', i), NULL), ${NEWEST} - i FROM n`);
  await fillMails({ db }, range);
  await db.run(sql`
    INSERT INTO invitations(id_hash, membership_id, email, invited_by, inviter_name, mail_id, created_at, expires_at)
    ${numbers(range)} SELECT 'hash_member_' || i, printf('mem_scale_%06d', i), printf('ada%d@scale.example', i), 'usr_x',
      'Ada Becker', 'out_' || i, ${NEWEST}, ${NEWEST} FROM n WHERE i % 5 = 3`);
}

/**
 * Fills tickets, a quarter of an hour apart. Half of them belong to one large organization, the others to one each;
 * half are closed, two of eight wait for a reply, of which many are late. One of them is about Zelda Quirke Wu.
 */
export async function fillTickets({ db }: Ctx, userId: string, range: [number, number]) {
  await fillClients({ db }, range);
  await db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status)
    VALUES ('usr_scale_1', ${NEWEST}, ${NEWEST}, 'one@scale.example', 'Ada Becker', 'ada becker', 'active')
    ON CONFLICT DO NOTHING`);
  await db.run(sql`
    INSERT INTO support_tickets(id, created_at, updated_at, number, organization_id, title, description, priority, status,
      creator_name, assigned_to, resolved_at, last_message_at, promise_json, due_at, viewers, search_text)
    ${numbers(range)} SELECT printf('tkt_%06d', i), ${NEWEST} - i * 900000, ${NEWEST} - i * 900000, 10000000 - i,
      printf('org_scale_%d', iif(i / 96 % 2, 0, i)), 'Ada Becker', 'The printer blinks.',
      CASE i / 8 % 4 WHEN 0 THEN 'low' WHEN 1 THEN 'high' ELSE 'urgent' END,
      CASE i % 8 WHEN 0 THEN 'open' WHEN 5 THEN 'in_progress' WHEN 1 THEN 'waiting_for_customer'
        WHEN 3 THEN 'resolved' ELSE 'closed' END,
      'Ada Becker', CASE i / 32 % 3 WHEN 0 THEN ${userId} WHEN 1 THEN 'usr_scale_1' END, NULL, ${NEWEST}, '{}',
      iif(i % 8 IN (0, 5), ${NEWEST} + (i * 7919 % 401 - 200) * 3600000, NULL), '',
      CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE 'ada becker' END || char(10) || 't-' || (10000000 - i) || char(10) ||
        'the printer blinks.' || char(10) || 'cedar dental' FROM n`);
}

/**
 * Fills letters, half of them drafts: one of every organization. One is to Zelda Quirke Wu. The numbers of
 * organizations are below those of other lists.
 */
export async function fillLetters({ db }: Ctx, _userId: string, range: [number, number]) {
  await db.run(sql`
    INSERT INTO organizations(id, created_at, updated_at, name, slug, plan, number, search_name)
    ${numbers(range)} SELECT printf('org_l%06d', i), ${NEWEST}, ${NEWEST}, 'Ada Becker', 'letters-' || i, 'core',
      500000 - i, iif(i = 150, 'zelda quirke wu', 'ada becker') FROM n`);
  await db.run(sql`
    INSERT INTO letters(id, created_at, updated_at, organization_id, month, status, facts_json, words_json, letter_json,
      letter_hash, released_at)
    ${numbers(range)} SELECT printf('ltr_%06d', i), ${NEWEST}, ${NEWEST}, printf('org_l%06d', i),
      printf('20%02d-%02d', i % 90, 1 + i % 12), iif(i % 2, 'draft', 'released'), '{"promises":{"kept":3,"missed":1}}',
      '{}', iif(i % 2, NULL, '{}'), iif(i % 2, NULL, 'x'), iif(i % 2, NULL, ${NEWEST}) FROM n`);
}
