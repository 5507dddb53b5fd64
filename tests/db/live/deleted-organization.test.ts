import { expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { livePublisher } from "~/live/publish.server";
import { bindings, testContext } from "../../support/context";
import { makeMember, makePerson, makeSession } from "../../support/factories";
import { listenersOfFile, openSockets, storeEvent } from "../../support/live";
import { administrator, newOrganization, nonce } from "../../support/organizations";

const connect = listenersOfFile();

test("when an organization is deleted its hub closes the sockets of its people at once, and no others", async () => {
  const world = testContext({ live: livePublisher(bindings.LIVE) });
  // The hub uses the real clock.
  world.clock.set(Date.now());
  const { base, ctx, actor } = await administrator(world);
  const [id, otherId] = [await newOrganization(ctx, actor), await newOrganization(ctx, actor)];
  const [audience, other] = [organizationAudience(id), organizationAudience(otherId)];
  const join = async (organizationId: string, role: "owner" | "admin" | "member") => {
    const person = await makePerson(base);
    await makeMember(base, organizationId, person, role);
    const { signedIn } = await makeSession(base, person, 1);
    return connect(signedIn, organizationAudience(organizationId));
  };
  const inside = [await join(id, "owner"), await join(id, "admin"), await join(id, "member")];
  const bystander = await join(otherId, "member");
  await storeEvent(base, { audience, type: "ticket_event" });

  expect(await deleteOrganization(ctx, actor, { organizationId: id, version: 1, nonce: nonce() })).toMatchObject({
    ok: true,
  });
  await base.settle();
  expect(await Promise.all(inside.map(({ closed }) => closed))).toEqual([4403, 4403, 4403]);
  expect(await openSockets(audience)).toEqual([]);
  expect(bystander.isOpen()).toBe(true);
  expect(await openSockets(other)).toHaveLength(1);
});
