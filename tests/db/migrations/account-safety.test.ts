import { beforeAll, expect, test } from "vitest";
import { findSignedIn, listOpenSessions } from "~/features/auth/queries.server";
import { days, hours } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { type TestContext, WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";

let ctx: TestContext;

const SESSIONS = { office: "203.0.113.77", home: "2001:db8:1f:0::/64", unknown: "" };

beforeAll(async () => {
  const database = await databaseBefore("0011");
  const times = { created_at: WEDNESDAY, updated_at: WEDNESDAY };
  for (const [id, status] of [
    ["usr_priya", "active"],
    ["usr_sam", "unverified"],
  ] as const) {
    await database.insert("users", {
      id,
      email: `${id}@larkspur.example`,
      full_name: id,
      status,
      pending_organization_name: status === "unverified" ? "Larkspur Row" : null,
      ...times,
    });
  }
  await database.insert("user_roles", { user_id: "usr_priya", role: "moderator" });
  for (const [name, ip_prefix] of Object.entries(SESSIONS)) {
    await database.insert("sessions", {
      id_hash: hashToken(name),
      user_id: "usr_priya",
      epoch: 0,
      aal: 2,
      created_at: WEDNESDAY,
      last_seen_at: WEDNESDAY,
      idle_expires_at: WEDNESDAY + hours(1),
      abs_expires_at: WEDNESDAY + days(1),
      reauth_at: WEDNESDAY,
      ua_label: name,
      ip_prefix,
    });
  }
  ctx = await database.migrate();
});

test("sessions stay signed in, and keep the first part of their network address only", async () => {
  for (const name of Object.keys(SESSIONS)) {
    expect(await findSignedIn(ctx.db, hashToken(name), ctx.now())).toMatchObject({ role: "moderator" });
  }
  const open = await listOpenSessions(ctx.db, "usr_priya", ctx.now());
  expect(Object.fromEntries(open.map(({ device, network }) => [device, network]))).toEqual({
    office: "203.0.113.0/24",
    home: "2001:db8:1f::/48",
    unknown: "",
  });
});
