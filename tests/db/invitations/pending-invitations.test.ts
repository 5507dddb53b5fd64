import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { lookUpInvitation, type OpenedInvitation } from "~/features/invitations/answering.server";
import type { Inviter } from "~/features/invitations/model";
import { invitationStates } from "~/features/invitations/queries.server";
import {
  copyInvitationLink,
  inviteUser,
  resendInvitation,
  resendInvitationsTo,
  revokeInvitation,
} from "~/features/invitations/sending.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { askForInvitation } from "~/features/portal/commands.server";
import { days, hours } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { as, makePerson, type Person, signedInAs } from "../../support/factories";
import {
  acceptAs,
  invitationToken,
  inviteTo,
  invitingTeam,
  makeTeam,
  memberOf,
  NOT_OPEN,
  openInvitation,
  openLinks,
  pendingMembership,
  staff,
  type Team,
  withInvitation,
} from "../../support/invitations";
import { mailsTo } from "../../support/mails";
import { visitorContext } from "../../support/visitor";

describe("an invitation that waits", () => {
  let ctx: TestContext;

  let team: Team;

  let owner: Inviter;

  let admin: Person;

  let address: string;

  beforeEach(async () => {
    ({ ctx, team, address } = await invitingTeam());
    owner = memberOf(ctx, team.owner, team.organization.id);
    admin = await makePerson(ctx, { role: "admin" });
  });

  const invited = async () => {
    await inviteTo(ctx, team, address);
    await ctx.settle();
    const { id } = await pendingMembership(ctx, address);
    return { membershipId: id, organizationId: team.organization.id };
  };

  const account = () =>
    inviteUser(as(ctx, admin), staff(ctx, admin), { email: address, fullName: "Jo Field", role: "moderator" });

  const accounts = async () => ctx.db.select().from(users).where(eq(users.email, address));

  const stateOf = async (membershipId: string) =>
    (await invitationStates(ctx.db, { membership: [membershipId] }, ctx.now())).get(membershipId);

  test("an invited account waits without a password, and its role is stored", async () => {
    const result = await account();
    expect(result.ok).toBe(true);
    const [user] = await accounts();
    expect(user).toMatchObject({
      full_name: "Jo Field",
      status: "pending",
      password_hash: null,
      listed_role: "moderator",
    });
    const [mail] = await mailsTo(ctx, address);
    expect(mail?.subject).toBe("You're invited to Wrenfield");
    expect(mail?.text).toContain("Moderator");
    expect(
      (await invitationStates(ctx.db, { account: [user?.id ?? ""] }, ctx.now())).get(user?.id ?? ""),
    ).toMatchObject({
      ...{ email: address, invitedBy: admin.fullName, state: "pending", mail: "sent", failure: null },
    });
  });

  test("an invitation whose mail met a used-up quota is delayed, not failed, and sent when the quota is back", async () => {
    ctx.outcomes.push({ kind: "quota", reason: "http_429_quota" });
    await account();
    await ctx.settle();
    const [user] = await accounts();
    const state = async () =>
      (await invitationStates(ctx.db, { account: [user?.id ?? ""] }, ctx.now())).get(user?.id ?? "");
    expect(await state()).toMatchObject({ mail: "delayed", failure: null });
    ctx.clock.advance(hours(1));
    await deliverOutbox(ctx);
    expect(await state()).toMatchObject({ mail: "sent", failure: null });
  });

  test("an address with an account is taken, one that was only claimed is not, and of twenty invitations one is stored", async () => {
    await makePerson(ctx, { email: address, status: "unverified" });
    const results = await Promise.all(Array.from({ length: 20 }, account));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await accounts()).toMatchObject([{ status: "pending" }]);
    expect(await account()).toEqual({ ok: false, code: "email_taken" });
    expect(
      await inviteUser(ctx, staff(ctx, await makePerson(ctx, { role: "moderator" })), {
        email: "x@y.example",
        fullName: "X",
        role: "admin",
      }),
    ).toEqual({ ok: false, code: "denied" });
  });

  test("an administrator who has lost the role meanwhile makes no account", async () => {
    await ctx.db.delete(userRoles).where(eq(userRoles.user_id, admin.id));
    expect(await account()).toEqual({ ok: false, code: "denied" });
    expect(await accounts()).toEqual([]);
  });

  test("sending again makes a new link for another week and ends the one before", async () => {
    const target = await invited();
    const first = await invitationToken(ctx, address);
    ctx.clock.advance(days(7));
    expect(await stateOf(target.membershipId)).toMatchObject({ state: "expired" });
    expect(await resendInvitation(ctx, owner, target)).toEqual({ ok: true, value: { email: address } });
    expect(await stateOf(target.membershipId)).toMatchObject({ state: "pending", expiresAt: ctx.now() + days(7) });
    expect(await invitationToken(ctx, address)).not.toBe(first);
    expect(await openLinks(ctx, target.membershipId)).toBe(1);
  });

  test("of twenty at once two are sent, because an address gets three mails an hour, and one link is open", async () => {
    const target = await invited();
    const results = await Promise.all(Array.from({ length: 20 }, () => resendInvitation(ctx, owner, target)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(2);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, code: "limited" });
    expect(await openLinks(ctx, target.membershipId)).toBe(1);
  });

  test("an invitation of another organization looks like none", async () => {
    const { membershipId } = await invited();
    const other = await makeTeam(ctx);
    const stranger = memberOf(ctx, other.owner, other.organization.id);
    for (const target of [
      { membershipId, organizationId: other.organization.id },
      { membershipId },
      { membershipId: "mem_none" },
    ]) {
      expect(await resendInvitation(ctx, stranger, target)).toEqual({ ok: false, code: "not_found" });
      expect(await revokeInvitation(ctx, stranger, target)).toEqual({ ok: false, code: "not_found" });
      expect(await copyInvitationLink(ctx, stranger, target)).toEqual({ ok: false, code: "not_found" });
    }
    await account();
    const userId = (await accounts())[0]?.id ?? "";
    expect(await revokeInvitation(ctx, owner, { userId })).toEqual({ ok: false, code: "not_found" });
  });

  test("revoking removes the membership or the account with its links and what waits to be mailed", async () => {
    await inviteTo(ctx, team, address);
    const { id } = await pendingMembership(ctx, address);
    await ctx.db.update(outbox).set({ status: "pending" });
    expect(await revokeInvitation(ctx, owner, { membershipId: id })).toMatchObject({ ok: true });
    expect(await openLinks(ctx, id)).toBe(0);
    expect(await ctx.db.$count(organizationMemberships, eq(organizationMemberships.id, id))).toBe(0);
    expect(await revokeInvitation(ctx, owner, { membershipId: id })).toEqual({ ok: false, code: "not_found" });
    await account();
    const [user] = await accounts();
    expect(await revokeInvitation(ctx, staff(ctx, admin), { userId: user?.id ?? "" })).toMatchObject({ ok: true });
    expect(await accounts()).toEqual([]);
  });

  test("of twenty revocations at once one succeeds", async () => {
    const target = await invited();
    const results = await Promise.all(Array.from({ length: 20 }, () => revokeInvitation(ctx, owner, target)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("an account that was accepted is never revoked", async () => {
    await account();
    const userId = (await accounts())[0]?.id ?? "";
    await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, userId));
    expect(await revokeInvitation(ctx, staff(ctx, admin), { userId })).toEqual({ ok: false, code: "not_found" });
    expect(await accounts()).toHaveLength(1);
  });

  test("the link can be copied once the mail has failed, which ends the mailed one", async () => {
    const target = await invited();
    expect(await copyInvitationLink(ctx, owner, target)).toEqual({ ok: false, code: "mail_not_failed" });
    ctx.outcomes.push({ kind: "permanent", reason: "http_422" });
    await resendInvitation(ctx, owner, target);
    await ctx.settle();
    expect(await stateOf(target.membershipId)).toMatchObject({
      mail: "dead",
      failure: "the mail service did not accept it (http_422)",
    });
    const copied = await copyInvitationLink(ctx, owner, target);
    expect(copied.ok && copied.value.url).toMatch(/^http:\/\/localhost:8787\/invite\?token=[\w-]{43}$/);
    expect(await openLinks(ctx, target.membershipId)).toBe(1);
    expect(await stateOf(target.membershipId)).toMatchObject({ mail: null, failure: null });
  });

  test("whoever is invited asks again without using up the invitations that the organization may send today", async () => {
    const { membershipId } = await invited();
    const person = await makePerson(ctx, { email: address });
    const used = async () => {
      const rows = await ctx.db
        .select()
        .from(rateLimitAttempts)
        .where(eq(rateLimitAttempts.attempt_type, "invite_org"));
      return rows.flatMap(({ identifier, attempts }) =>
        identifier.startsWith(team.organization.id) ? [attempts] : [],
      );
    };
    expect(await used()).toEqual([1]);
    const actor = { ...signedInAs(person, ctx.now()), role: "user" as const };
    expect(await askForInvitation(as(ctx, person), actor, membershipId)).toEqual({ ok: true, value: null });
    expect(await used()).toEqual([1]);
  });

  test("others who fill in forms with an address keep its owner from asking for nothing", async () => {
    const { membershipId } = await invited();
    const person = await makePerson(ctx, { email: address });
    for (let times = 0; times < 5; times += 1) await resendInvitationsTo(ctx, address);
    const actor = { ...signedInAs(person, ctx.now()), role: "user" as const };
    expect(await askForInvitation(as(ctx, person), actor, membershipId)).toEqual({ ok: true, value: null });
  });
});

describe("the end of an invitation", () => {
  let ctx: TestContext;

  let team: Team;

  let person: Person;

  beforeEach(async () => {
    ctx = visitorContext();
    team = await makeTeam(ctx);
    person = await makePerson(ctx);
  });

  const opened = (email: string) => openInvitation(ctx, email);

  const invited = async (email: string) => {
    await inviteTo(ctx, team, email);
    return opened(email);
  };

  const accept = (invitation: OpenedInvitation, by = person) => acceptAs(ctx, by, invitation);

  describe("what ends an invitation", () => {
    const state = async (token: string) => {
      const found = await lookUpInvitation(withInvitation(ctx, token));
      return found.kind === "found" ? found.invitation.state : found.kind;
    };
    const target = async () => ({ membershipId: (await pendingMembership(ctx, person.email)).id });
    const owner = () => memberOf(ctx, team.owner, team.organization.id);

    test.each<[string, string, () => Promise<unknown>]>([
      ["a week", "expired", async () => ctx.clock.advance(days(7))],
      ["a newer link", "replaced", async () => resendInvitation(ctx, owner(), await target())],
      ["revoking it", "unknown", async () => revokeInvitation(ctx, owner(), await target())],
      [
        "the end of the organization",
        "unknown",
        () => ctx.db.delete(organizations).where(eq(organizations.id, team.organization.id)),
      ],
      [
        "the end of its inviter's rights",
        "void",
        () =>
          ctx.db
            .update(organizationMemberships)
            .set({ status: "suspended" })
            .where(eq(organizationMemberships.user_id, team.owner.id)),
      ],
      [
        "the end of its inviter's account",
        "void",
        () => ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, team.owner.id)),
      ],
      ["its use", "used", async () => accept(await opened(person.email))],
    ])("%s: %s", async (_, wanted, end) => {
      const invitation = await invited(person.email);
      const token = await invitationToken(ctx, person.email);
      expect(await state(token)).toBe("open");
      await end();
      expect(await state(token)).toBe(wanted);
      expect(await accept(invitation)).toEqual(NOT_OPEN);
    });

    test("of accepting and revoking at once one wins, and so of accepting and sending again", async () => {
      for (const other of [revokeInvitation, resendInvitation]) {
        const somebody = await makePerson(ctx);
        const invitation = await invited(somebody.email);
        const { id } = await pendingMembership(ctx, somebody.email);
        const rivals = Array.from({ length: 10 }, (_, turn) => [
          accept(invitation, somebody),
          turn === 0 ? other(ctx, owner(), { membershipId: id }) : accept(invitation, somebody),
        ]).flat();
        const results = (await Promise.all<{ ok: boolean }>(rivals)).filter(({ ok }) => ok);
        expect(results).toHaveLength(1);
      }
    });
  });

  test("a guessed link is counted for the network; one that exists is not", async () => {
    await invited(person.email);
    const token = await invitationToken(ctx, person.email);
    for (let tries = 0; tries < 25; tries += 1) {
      expect((await lookUpInvitation(withInvitation(ctx, token))).kind).toBe("found");
      await ctx.settle();
    }
    const guess = () => lookUpInvitation(withInvitation(ctx, ctx.newToken()));
    for (let tries = 0; tries < 20; tries += 1) expect((await guess()).kind).toBe("unknown");
    expect((await guess()).kind).toBe("blocked");
  });
});
