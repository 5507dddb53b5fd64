import { COPIED_COUNTER, EPOCH_COUNTER, RESTORED_SUBJECT } from "~/features/audit/chain.server";
import { auditActionLabel } from "~/features/audit/labels";
import { SYSTEM } from "~/features/audit/model";
import { backupIdAt } from "~/features/backup/model";
import { days, hours, minutes } from "~/lib/time";
import { rememberHost } from "./deployment.mjs";
import { auditInsertion, sqlText } from "./sql.mjs";

/** Names the counters whose numbers people know, and which are never given twice. */
const NUMBERED = ["submission", "ticket", "quote"];

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** Says how exactly the time of a bookmark is looked for, each step being one question to Cloudflare. */
const RESOLUTION = minutes(5);
/** Says how far back the platform can go, and a little less. */
const REACH = days(30) - hours(1);

/**
 * Returns what a restored database has to be told, as SQL: that it was restored, so that the copies of its audit begin
 * an epoch; and that whoever was let in before is not any more, because what had ended by then is valid again. Written
 * again, it changes nothing that matters. `restore.epoch` is the time at which the restore began; `backup`
 * the name of the backup, if it was no bookmark.
 */
export function recordOfRestore({ epoch, bookmark, undo, state, lostThrough, numbers, host, backup = "" }, now) {
  const counter = sqlText(`${EPOCH_COUNTER}${epoch}`);
  const meta = { bookmark, ...(backup ? { backup } : {}), undo, state, lostThrough };
  const subject = { type: RESTORED_SUBJECT, id: String(epoch), label: null };
  const event = { at: now, actor: SYSTEM, action: "security.database_restored", subject, meta };
  const unlessRecorded = `where not exists
    (select 1 from audit_events where subject_type = '${RESTORED_SUBJECT}' and subject_id = '${epoch}')`;
  return [
    ...Object.entries(numbers).map(
      ([name, value]) => `update counters set value = max(value, ${value}) where name = ${sqlText(name)}`,
    ),
    "update users set auth_epoch = auth_epoch + 1",
    "delete from sessions",
    "delete from auth_challenges",
    `update auth_tokens set consumed_at = ${now} where consumed_at is null`,
    `update invitations set expires_at = ${now} where consumed_at is null and expires_at > ${now}`,
    "delete from mfa_backup_codes",
    // A code may be used up since by the first administrator, and the host of then may be another's now.
    "delete from settings where key in ('setup_code_hash', 'deployed_host')",
    ...(host ? [rememberHost(host, now)] : []),
    // Nobody knows which of them have left since: a person decides, as with every such mail.
    "update outbox set status = 'uncertain', lease_until = null, last_error = 'interrupted' where status in ('pending', 'sending')",
    // The pages of one that runs are of before and after, whichever slice finishes it by now.
    `update backups set progress = null, finished_at = null, version = version + 1
     where finished_at is null or finished_at >= ${epoch}`,
    // Some may have been taken away since: the next backup seals all of them again.
    `update backup_files set gone = ${sqlText(backupIdAt(epoch))} where gone is null`,
    `insert into counters(name, value)
     select ${counter}, coalesce((select value from counters where name = '${COPIED_COUNTER}'), 0) where true
     on conflict(name) do nothing`,
    auditInsertion(event, unlessRecorded, ({ meta_json }) => ({
      meta_json: `json_set(${meta_json}, '$.kept', (select value from counters where name = ${counter}))`,
    })),
  ];
}

/**
 * Puts the deployed database back to a bookmark and records it. What has to be known of the state before is noted
 * outside the database, so that an interrupted run is simply started again: it finds out whether the database has gone
 * back already, and finishes.
 *
 * `isRestored`: it was put back by hand, and only the rest is to be done. `again`: also if it went back to this very
 * bookmark before. `database`: see wrangler.mjs. `notes`: reads, writes and removes what is noted. `confirm`:
 * asks, and throws if the answer is no. `migrations`: the names of ours.
 */
export async function restoreDatabase({ bookmark, isRestored = false, again = false, env = null }, tools) {
  const { database, notes, print } = tools;
  if (!BOOKMARK.test(bookmark ?? "")) {
    throw new Error(
      "Name the bookmark, as `npm run deploy` prints it: npm run restore:bookmark -- 00000085-0000024c-…",
    );
  }
  await database.expectSignedIn();
  const begun = notes.read();
  const hasGoneBack = begun !== null && (await isGone(database, begun.newest));
  // Nobody can say of an unreadable database whether it is still the one before.
  const isUnfinished = begun !== null && (hasGoneBack || begun.newest === null);
  const before = isUnfinished ? begun : await stateBefore(bookmark, isRestored, tools);
  if (!isUnfinished && before.recordedAt !== null && !again) {
    print(
      `The database was put back to this bookmark at ${utc(before.recordedAt)}, and that is recorded. Nothing is done.\n` +
        "What was written since would be lost: if that is wanted, add --again.",
    );
    return;
  }
  let restore = { ...before, bookmark, lostThrough: before.newest?.id ?? null };
  if (hasGoneBack && begun.bookmark === bookmark)
    print("The database has gone back already. What is left is done now.");
  else if (isRestored) {
    print(consequences);
    await tools.confirm();
  } else {
    const state = await announce(restore, hasGoneBack, tools);
    // The number of a run before may be that of copies already.
    restore = { ...restore, state, epoch: isUnfinished ? tools.now() : restore.epoch };
    await tools.confirm();
    notes.write(restore);
    print("Restoring …");
    await database.travelTo(bookmark);
  }
  print("Recording the restore and ending all sessions …");
  await database.execute(
    recordOfRestore(restore, tools.now()),
    "The database has gone back, but that could not be recorded. Run the same command again; if what follows speaks of a missing table or column, `npm run deploy` first:",
  );
  notes.remove();
  await sayWhatIsNext({ ...restore, env }, tools);
}

/** Tells whether the newest event of before is no longer there: the database has gone back. */
async function isGone(database, newest) {
  if (newest === null) return false;
  const found = await database.query(`select id from audit_events where id = ${newest.id} and at = ${newest.at}`);
  return found.length === 0;
}

/** Reads what cannot be known any more when the database has gone back. */
async function stateBefore(bookmark, isRestored, { database, now, print }) {
  const unknown = { epoch: now(), undo: null, newest: null, oldest: null, numbers: {}, recordedAt: null, state: null };
  const undo = isRestored ? null : await database.bookmarkAt();
  if (undo !== null && bookmark >= undo)
    throw new Error("The bookmark is not older than the database: nothing to restore.");
  try {
    const [row] = await database.query(`select unixepoch() * 1000 as epoch,
      (select json_object('id', id, 'at', at) from audit_events order by id desc limit 1) as newest,
      (select at from audit_events order by id limit 1) as oldest,
      (select value_json ->> '$' from settings where key = 'deployed_host') as host,
      (select json_group_object(name, value) from counters where name in (${NUMBERED.map(sqlText).join(", ")})) as numbers,
      (select at from audit_events where subject_type = '${RESTORED_SUBJECT}'
        and meta_json ->> 'bookmark' = ${sqlText(bookmark)} order by id desc limit 1) as recordedAt`);
    const newest = isRestored ? null : JSON.parse(row.newest);
    const host = isRestored ? null : row.host;
    return { ...unknown, ...row, undo, newest, host, numbers: JSON.parse(row.numbers) };
  } catch (error) {
    // What is to be repaired may be just this.
    if (!/no such (table|column)/.test(error.message)) throw error;
    print("The database lacks tables, so what is lost cannot be told, and numbers of tickets may be given twice.");
    return { ...unknown, undo };
  }
}

/** Says what will be lost. Returns the state that the bookmark stands for, as people read it; null if nobody knows. */
async function announce({ bookmark, undo, newest, oldest }, hasGoneBack, { database, now, print }) {
  print("Looking up when that was …");
  const at = await timeOf(bookmark, Math.max(oldest ?? 0, now() - REACH), { database, now });
  const state = at === null ? null : utc(at);
  print(`\nThe database goes back to the state of ${state ? `about ${state}` : "an unknown time"}.`);
  if (undo) print(`As it is now it can be had back by the bookmark ${undo}`);
  print("Everything written since is lost: tickets, replies, requests, people, settings and their activity.");
  if (at !== null && newest && !hasGoneBack) {
    const lost = await database.query(
      `select action, count(*) as count from audit_events where at >= ${at} group by action order by count desc`,
    );
    for (const { action, count } of lost) {
      print(`${String(count).padStart(7)}  ${auditActionLabel({ action, meta: {}, actorName: null })}`);
    }
  }
  print(consequences);
  return state;
}

const consequences = `Passwords, second factors, roles and deactivated accounts become what they were, and who was erased is back.
Everybody is signed out. Links in mails and backup codes that are not used yet stop working, and invitations have to be
sent again: some of them had been used or taken back, and nobody could tell which.`;

/** Finds the time of a bookmark: they are in the order of time, and Cloudflare knows the one of each time. */
async function timeOf(bookmark, oldest, { database, now }) {
  let [low, high] = [oldest, now()];
  try {
    if ((await database.bookmarkAt(low)) > bookmark) return null;
    while (high - low > RESOLUTION) {
      const middle = Math.floor((low + high) / 2);
      if ((await database.bookmarkAt(middle)) > bookmark) high = middle;
      else low = middle;
    }
    return low;
  } catch {
    return null;
  }
}

async function sayWhatIsNext({ undo, env }, { database, migrations, print }) {
  const lacking = await database.query("select name from d1_migrations").then(
    (rows) => migrations.filter((name) => !rows.some((row) => row.name === name)),
    () => null,
  );
  print("\nThe database is restored, and the activity says so. Next:");
  if (lacking === null || lacking.length > 0) {
    print(
      `- npm run deploy${env ? ` -- --env ${env}` : ""}: it lacks migrations${lacking ? ` (${lacking.join(", ")})` : " of later versions, perhaps"}.`,
    );
  }
  print(
    "- Do again what was undone with it: passwords that had leaked, roles, deactivated accounts, people to be erased.",
  );
  print("- Send open invitations again, and in Settings → Advanced the mails that were waiting, unless they had left.");
  if (undo) {
    print(
      `- To undo it: npm run restore:bookmark -- ${undo}${env ? ` --env ${env}` : ""}\n` +
        "  Before 04:00 UTC, when files that nothing in the database names any more are deleted.",
    );
  }
}

export const utc = (at) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
