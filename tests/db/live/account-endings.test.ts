import { afterEach, beforeEach, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { commit } from "~/db/client.server";
import { accountOf } from "~/features/auth/confirm-identity.server";
import {
  beginEnrollment,
  completeEnrollment,
  disableTotp,
  findEnrollment,
} from "~/features/auth/factor-commands.server";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { findLink, prepareLink } from "~/features/auth/mail-links.server";
import {
  endAllSessions,
  endSession,
  endSessionsByLink,
  revokeOtherSessions,
  revokeSession,
} from "~/features/auth/sessions.server";
import { changePassword, resetPassword } from "~/features/auth/set-password.server";
import { livePublisher } from "~/live/publish.server";
import type { SignedIn } from "~/platform/context.server";
import type { LinkPurpose } from "~/platform/cookies.server";
import { bindings, derive, type TestContext, testContext } from "../../support/context";
import {
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  PASSWORD,
  type Person,
  TOTP_SECRET,
} from "../../support/factories";
import { type Listener, listen } from "../../support/live";

/*
 * A command that ends sessions closes their sockets itself and immediately, without an event or an alarm of the hub.
 */

const LINK_COOKIES: Partial<Record<LinkPurpose, string>> = { reset: "__Host-rst", not_me: "__Host-nme" };

let ctx: TestContext;
let person: Person;
/** Holds the context of the browser the person uses. */
let own: TestContext;
let signedIn: SignedIn;
let other: SignedIn;
/** Holds the socket of another session. */
let socket: Listener;

beforeEach(async () => {
  ctx = testContext({ live: livePublisher(bindings.LIVE) });
  // The hub uses the real clock.
  ctx.clock.set(Date.now());
  person = await makePerson(ctx, { role: "admin", withPassword: true, withTotp: true });
  const session = await makeSession(ctx, person);
  ({ signedIn } = session);
  own = derive(ctx, {
    signedIn,
    request: { ...ctx.request, cookies: new Map([["__Host-sid", session.sessionId]]) },
  });
  ({ signedIn: other } = await makeSession(ctx, person));
  socket = await listen("staff", other);
});
afterEach(() => socket.close());

const typed = () => ({ password: PASSWORD, method: "totp" as const, code: codeAt(TOTP_SECRET, stepAt(ctx.now())) });

/** Opens a link of a mail and returns what it stands for. */
async function opened(purpose: LinkPurpose) {
  const link = prepareLink(ctx, purpose, { userId: person.id, email: person.email });
  await commit(ctx.db, link.statements);
  const token = new URL(link.path, "http://localhost:8787").searchParams.get("token") ?? "";
  const browser = { ...ctx.request, cookies: new Map([[LINK_COOKIES[purpose] ?? "", token]]) };
  const found = await findLink(derive(ctx, { request: browser }), purpose);
  if (!found) throw new Error("The link should open");
  return found;
}

async function setUpAnother() {
  await commit(ctx.db, [beginEnrollment(ctx, person.id)]);
  const { secret } = (await findEnrollment(ctx, { userId: person.id, email: person.email })) ?? { secret: "" };
  return completeEnrollment(own, { person: await accountOf(ctx, signedIn), code: codeAt(secret, stepAt(ctx.now())) });
}

const ENDINGS: [string, () => Promise<unknown>][] = [
  ["signing out in that browser", () => endSession(derive(ctx, { signedIn: other }))],
  ["ending that session", () => revokeSession(own, signedIn, other.sessionHash)],
  ["ending all other sessions", () => revokeOtherSessions(own, signedIn)],
  ["signing out everywhere", () => endAllSessions(own, signedIn)],
  ["This wasn't me", async () => endSessionsByLink(ctx, await opened("not_me"))],
  ["a reset of the password", async () => resetPassword(ctx, await opened("reset"), "Brand!New8horse")],
  [
    "a change of the password",
    () => changePassword(own, signedIn, { current: PASSWORD, next: "Brand!New8horse", staySignedIn: true }),
  ],
  ["switching the second factor off", () => disableTotp(own, signedIn, typed())],
  ["another authenticator", setUpAnother],
];

test.each(ENDINGS)("%s closes the live socket of the session it ends", async (_, end) => {
  expect(socket.isOpen()).toBe(true);
  await end();
  await ctx.settle();
  expect(await socket.closed).toBe(4401);
});

test("ending one session does not close the sockets of the others", async () => {
  const { signedIn: third } = await makeSession(ctx, person);
  const kept = await listen("staff", third);
  await revokeSession(own, signedIn, other.sessionHash);
  await ctx.settle();
  expect(await socket.closed).toBe(4401);
  expect(kept.isOpen()).toBe(true);
  kept.close();
});

test("signing out everywhere closes the sockets on the staff hub and on the hub of every organization", async () => {
  const organizations = [await makeOrganization(ctx), await makeOrganization(ctx)];
  await makeMember(ctx, organizations[0]?.id ?? "", person, "owner");
  await makeMember(ctx, organizations[1]?.id ?? "", person, "member");
  const sockets = await Promise.all(organizations.map(({ id }) => listen(organizationAudience(id), other)));
  await endAllSessions(own, signedIn);
  await ctx.settle();
  expect(await Promise.all([socket, ...sockets].map(({ closed }) => closed))).toEqual([4401, 4401, 4401]);
});
