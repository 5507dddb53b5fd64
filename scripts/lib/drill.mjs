import { randomBytes } from "node:crypto";
import { codeAt, secretFrom, stepAt } from "~/features/auth/factors.server";
import { totpSecretContext } from "~/features/auth/model";
import { staffTicketPath } from "~/features/tickets/paths";
import { nameColumns } from "~/features/users/model";
import { STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { referenceNumber, sortableId } from "~/lib/ids";
import { decrypt, encrypt, hashPassword, keyIdOf } from "~/platform/crypto.server";
import { httpSession } from "./measure/http-session.mjs";
import { insertion } from "./sql.mjs";

/** Throws unless the database is whole, and a second factor that people have stored can still be read. */
export function expectIntact(database, keys) {
  const [{ integrity_check: found }] = database.prepare("pragma integrity_check(1)").all();
  if (found !== "ok") throw new Error(`The restored database is damaged: ${found}`);
  const factor = database
    .prepare("select user_id, totp_secret from user_mfa_settings where totp_secret is not null limit 1")
    .get();
  if (factor) {
    const key = keys[`DATA_KEK_${keyIdOf(factor.totp_secret)}`];
    decrypt(key, totpSecretContext(factor.user_id), factor.totp_secret);
  }
}

/**
 * Makes somebody who exists only in a copy of the data, because nobody knows the passwords of the others: an
 * administrator, or who `access` makes of them. Returns how they sign in, what is there to be looked at, and the
 * statements that add them.
 */
export function makeVisitor(database, keys, now, access = asAdministrator) {
  const id = sortableId("usr", now, randomBytes(16));
  const visitor = { email: `drill-${now}@restored.example`, password: randomBytes(18).toString("base64url") };
  const totp = secretFrom(randomBytes(20));
  const keyId = keys.DATA_KEK_CURRENT ?? (keys.DATA_KEK_2 ? "2" : "1");
  const statements = [
    insertion("users", {
      ...{ id, created_at: now, updated_at: now, email: visitor.email, ...nameColumns("Restore drill") },
      ...{ password_hash: hashPassword(keys.PASSWORD_PEPPER_1, visitor.password), status: "active" },
    }),
    access(id),
    insertion("user_mfa_settings", {
      ...{ user_id: id, is_enabled: 1, updated_at: now },
      totp_secret: encrypt(keys[`DATA_KEK_${keyId}`], totpSecretContext(id), totp, keyId),
    }),
  ];
  const newest = database.prepare("select number, title from support_tickets order by number desc limit 1").get();
  const file = database
    .prepare(
      `select a.id, a.name, a.size, t.number from attachments a join support_tickets t on t.id = a.subject_id
       where a.subject_type = 'ticket' order by a.created_at desc limit 1`,
    )
    .get();
  return { ...visitor, totp, newest, file, statements };
}

const asAdministrator = (user_id) => insertion("user_roles", { user_id, role: "admin" });

export async function signedIn(origin, path, { email, password, totp }) {
  const session = httpSession(origin);
  await session.submit(path, { email, password });
  const { status } = await session.submit(path, { code: codeAt(totp, stepAt(Date.now())) });
  if (status !== 303) throw new Error(`Signing in at ${path} ended with ${status}.`);
  return session;
}

export async function opened(session, path) {
  const response = await session.send(path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
  return response;
}

/** Signs in and opens what was looked up. Returns what was seen, a line each; throws what is not as it should be. */
export async function visit(origin, { newest, file, ...visitor }) {
  const session = await signedIn(origin, STAFF_SIGN_IN_PATH, visitor);
  const open = (path) => opened(session, path);
  await open("/admin/submissions");
  const seen = ["Signed in"];
  if (newest) {
    const ticket = referenceNumber("ticket", newest.number);
    const page = await (await open(staffTicketPath(ticket))).text();
    if (!page.includes(ticket)) throw new Error(`The page of ${ticket} does not show it.`);
    seen.push(`Opened the newest ticket, ${ticket}`);
  }
  if (!file) return [...seen, "No file in this backup: that files open is not proven"];
  const page = await (await open(staffTicketPath(referenceNumber("ticket", file.number)))).text();
  const link = page.split('"').find((part) => part.startsWith("/") && part.includes(file.id));
  if (!link) throw new Error(`The page of its ticket has no link to ${file.name}.`);
  const { byteLength } = await (await open(link)).arrayBuffer();
  if (byteLength !== file.size) throw new Error(`${file.name} has ${byteLength} bytes and not ${file.size}.`);
  return [...seen, `Opened the newest file, ${byteLength.toLocaleString("en-US")} bytes`];
}
