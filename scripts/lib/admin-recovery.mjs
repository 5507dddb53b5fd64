import { MFA_RECOVERY_PATH, withParams } from "~/lib/addresses";
import { normalizeEmail } from "~/lib/email";
import { days } from "~/lib/time";
import { hashToken, newToken } from "~/platform/crypto.server";
import { auditInsertion, sqlText } from "./sql.mjs";
import { remoteDatabase } from "./wrangler.mjs";

export const NO_ADMINISTRATOR = "There is no administrator with that address.";

/**
 * Returns the recovery of an administrator as SQL, for the local and the deployed database: the factor and its backup
 * codes go, every session ends, one link is made, and an audit event says so. `path` is the link, which is printed and
 * stored nowhere.
 */
export function recoveryFor(typedEmail, now) {
  const email = normalizeEmail(typedEmail);
  const token = newToken();
  const administrators = `(select u.id from users u join user_roles r on r.user_id = u.id
    where u.email = ${sqlText(email)} and u.status = 'active' and r.role = 'admin')`;
  const event = {
    ...{ at: now, action: "mfa.recovery_link_made", subject: { type: "user", id: null, label: null } },
    actor: { id: null, role: "operator", name: null, email: null },
  };
  const statements = [
    `insert into user_mfa_settings(user_id, is_enabled, totp_secret, setup_needs_link, updated_at)
     select id, 0, null, 1, ${now} from users where id in ${administrators}
     on conflict(user_id) do update set is_enabled = 0, totp_secret = null, codes_unsaved = 0, setup_needs_link = 1,
       updated_at = ${now}`,
    `delete from mfa_backup_codes where user_id in ${administrators}`,
    `update users set auth_epoch = auth_epoch + 1, updated_at = ${now} where id in ${administrators}`,
    `update auth_tokens set consumed_at = ${now} where purpose = 'mfa_setup' and consumed_at is null and user_id in ${administrators}`,
    `insert into auth_tokens(id_hash, purpose, user_id, email, created_at, expires_at)
     select ${sqlText(hashToken(token))}, 'mfa_setup', id, email, ${now}, ${now + days(1)} from users where id in ${administrators}`,
    // Their name is known only there. The first line of the text that is searched is the name.
    auditInsertion(event, `from users where id in ${administrators}`, ({ search_text }) => ({
      ...{ subject_id: "id", subject_label: "full_name", search_text: `lower(full_name) || ${search_text}` },
    })),
    `insert into mfa_audit_log(user_id, action, method, success, created_at)
     select id, 'admin_reset', 'totp', 1, ${now} from users where id in ${administrators}`,
  ];
  return {
    email,
    find: `select id from users where id in ${administrators}`,
    statements,
    path: withParams(MFA_RECOVERY_PATH, { token }),
  };
}

/**
 * Carries a recovery out on a deployed database. Throws where no administrator has that address, because statements
 * that change nothing look like a success.
 */
export async function recoverRemotely(site, { find, statements }) {
  const database = remoteDatabase(site);
  if ((await database.query(find)).length === 0) throw new Error(NO_ADMINISTRATOR);
  await database.execute(statements, "The recovery could not be carried out:");
}
