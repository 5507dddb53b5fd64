import { totpSecretContext } from "~/features/auth/model";
import { organizationTexts } from "~/features/organizations/model";
import { nameColumns } from "~/features/users/name-columns";
import { days, hours, minutes } from "~/lib/time";
import { encrypt, hashPassword } from "~/platform/crypto.server";
import { accounts, PASSWORD } from "./accounts.mjs";
import { organizations } from "./organizations.mjs";

/** Writes accounts, organizations and memberships. Returns the people by e-mail address: `{id, name, email, role}`. */
export function addAccounts(world) {
  const people = new Map();
  accounts.forEach((account, index) => {
    const joined = world.now - days(200 - index * 9) - minutes(world.random.between(0, 600));
    const id = world.newId("usr", joined);
    people.set(account.email, { id, name: account.name, email: account.email, role: account.role });
    world.insert("users", {
      id,
      created_at: joined,
      updated_at: joined,
      email: account.email,
      ...nameColumns(account.name),
      password_hash: hashPassword(world.secrets.PASSWORD_PEPPER_1, PASSWORD),
      status: account.status ?? "active",
    });
    world.insert("user_roles", { user_id: id, role: account.role });
    if (account.totp) addSecondFactor(world, id, account.totp, joined);
  });
  organizations.forEach((organization, index) => {
    addOrganization(world, people, organization, world.now - days(150 - index * 20));
  });
  return people;
}

function addSecondFactor(world, userId, secret, joined) {
  world.insert("user_mfa_settings", {
    user_id: userId,
    is_enabled: 1,
    totp_secret: encrypt(world.secrets.DATA_KEK_1, totpSecretContext(userId), secret),
    updated_at: joined,
  });
  world.secondFactor(joined + minutes(4), userId, "setup");
  for (let daysAgo = 6; daysAgo > 0; daysAgo -= 1) {
    const at = world.now - days(daysAgo) + minutes(world.random.between(0, 240));
    // Now and then a code is mistyped before the right one.
    if (world.random.next() < 0.25) world.secondFactor(at - minutes(1), userId, "verify_challenge", "wrong_code");
    world.secondFactor(at, userId, "verify_challenge");
  }
}

function addOrganization(world, people, organization, at) {
  const id = world.newId("org", at);
  const { slug, plan } = organization;
  const record = { created_at: at, updated_at: at };
  world.insert("organizations", {
    id,
    ...record,
    ...organizationTexts(organization),
    slug,
    plan,
    contract_started_at: at,
  });
  for (const [email, role, status] of organization.members) {
    const joined = at + hours(world.random.between(1, 72));
    world.insert("organization_memberships", {
      id: world.newId("mem", joined),
      created_at: joined,
      updated_at: joined,
      organization_id: id,
      user_id: people.get(email).id,
      role,
      status,
      joined_at: joined,
    });
  }
}
