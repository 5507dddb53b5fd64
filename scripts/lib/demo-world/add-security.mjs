import { CODES_PER_SET, normalizeCode } from "~/features/auth/model";
import { days, hours, minutes } from "~/lib/time";
import { hashBackupCode, newSalt } from "~/platform/crypto.server";
import { accounts } from "./people.mjs";

const LOCKED_OUT = "suspended@brightsmile.example";
const SUSPICIOUS = "lead@brightsmile.example";

/**
 * Writes what the security center shows: codes that failed yesterday, with an alert that was acknowledged, and a known
 * browser that is blocked, with one that is open. Nobody is kept from signing in: other browsers count apart.
 */
export function addSecurity(world, people) {
  addAcknowledgedAlert(world, people);
  addLockout(world, people);
  addBackupCodes(world, people);
}

/** Gives everybody with a second factor the codes `DEMO0001` to `DEMO0010`, hashed once for all. */
function addBackupCodes(world, people) {
  const salt = newSalt();
  const hashes = Array.from({ length: CODES_PER_SET }, (_, index) => {
    const code = normalizeCode(`DEMO${String(index + 1).padStart(4, "0")}`);
    return hashBackupCode(world.secrets.PASSWORD_PEPPER_1, code, salt);
  });
  for (const { email } of accounts.filter(({ totp }) => totp)) {
    const { id } = people.get(email);
    const set = { user_id: id, set_id: world.newId("set", world.now), salt, created_at: world.now - days(6) };
    for (const code_hash of hashes) {
      world.insert("mfa_backup_codes", { id: world.newId("bkc", world.now), code_hash, ...set });
    }
  }
}

function addAcknowledgedAlert(world, people) {
  const person = people.get(SUSPICIOUS);
  const admin = people.get("second.admin@wrenfield.example");
  const lastAt = world.now - days(1) - hours(3);
  for (const ago of [4, 2, 0]) world.secondFactor(lastAt - minutes(ago), person.id, "verify_challenge", "wrong_code");
  world.secondFactor(lastAt + minutes(2), person.id, "verify_challenge");
  const closedAt = lastAt + minutes(40);
  const alert = addAlert(world, {
    kind: "suspicious_activity",
    subject: person.id,
    user_id: person.id,
    severity: "medium",
    attempts: 3,
    opened_at: lastAt + minutes(1),
    last_at: lastAt,
    closed_at: closedAt,
    acknowledged_by: admin.id,
    acknowledged_name: admin.name,
    note: "Called Sam: a new phone, with its clock five minutes behind.",
  });
  const subject = { type: "user", id: person.id, label: person.name };
  const meta = { alert, reason: "Suspicious activity" };
  world.audit(closedAt, admin, "security.alert_acknowledged", subject, meta);
}

function addLockout(world, people) {
  const { id } = people.get(LOCKED_OUT);
  const lastAt = world.now - minutes(6);
  const identifier = `${id}:demo`;
  const attempts = 11;
  world.database.prepare("update users set password_failures = ? where id = ?").run(attempts, id);
  world.insert("rate_limit_attempts", {
    attempt_type: "login_device",
    identifier,
    attempts,
    // Longer than a real block, so that the demo has one for the day.
    blocked_until: lastAt + hours(12),
    last_attempt_at: lastAt,
  });
  addAlert(world, {
    kind: "account_lockout",
    subject: `login_device ${identifier}`,
    user_id: id,
    severity: "high",
    attempts,
    opened_at: lastAt + minutes(1),
    last_at: lastAt,
    mailed_at: lastAt + minutes(1),
  });
}

function addAlert(world, alert) {
  const id = world.newId("alr", alert.opened_at);
  world.insert("security_alerts", { id, ...alert });
  return id;
}
