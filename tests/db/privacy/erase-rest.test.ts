import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { personErasures } from "~/db/schema/privacy";
import { ticketEvents } from "~/db/schema/tickets";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { erasePerson, eraseRestOfPeople, isQueuedFor, NAME_PLACES } from "~/features/privacy/erase-person.server";
import { countPerson, findPersonalData } from "~/features/privacy/queries.server";
import { purgeExpired } from "~/jobs/purge-expired.server";
import { ok } from "~/lib/errors";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { derive } from "../../support/context";
import { makePerson } from "../../support/factories";
import { makeTicket, ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
beforeAll(async () => {
  world = await ticketWorld();
});

test("no mail keeps what it says of an erased person, to whomever it was and whether or not it was sent", async () => {
  const { base } = world;
  await base.db.delete(outbox);
  const person = await makePerson(base, { fullName: "Zebulon Quarterman" });
  const about = { type: "user", id: person.id } as const;
  const reset = { name: person.fullName, email: person.email, by: "Sam Lee", reason: "Lost phone" };
  await commit(base.db, [
    enqueueMail(base, "access-changed", { to: person.email, about, data: { change: "unlocked" } }),
    enqueueMail(base, "account-exists", { to: person.email, about: null, data: {} }),
    enqueueMail(base, "factor-reset-notice", { to: "admin@wrenfield.example", about, data: reset }),
    enqueueMail(base, "email-change-confirmation", { to: "new@quarterman.example", about, data: { path: "/x" } }),
  ]);
  // Of some nobody knows whether they were sent.
  await base.db.run(sql`UPDATE outbox SET status = 'uncertain' WHERE kind IN ('access-changed', 'account-exists')`);
  const { ctx, actor } = world.staff(world.avery);
  expect(await erasePerson(ctx, actor, { personId: person.id, nonce: crypto.randomUUID() })).toEqual(ok(null));
  await base.settle();
  expect(await base.db.$count(outbox, sql`params_enc IS NOT NULL`)).toBe(0);
});

test("of mails of which nobody knows whether they were sent only those that are still stored count", async () => {
  const { base } = world;
  const person = await makePerson(base);
  const mail = { to: person.email, about: null, data: {} };
  await commit(base.db, [enqueueMail(base, "account-exists", mail), enqueueMail(base, "account-exists", mail)]);
  await base.db.run(sql`UPDATE outbox SET status = 'uncertain'`);
  const found = await findPersonalData(base.db, person.id);
  const count = async () => found && (await countPerson(base.db, found, isQueuedFor(base, [person.email]))).queuedMails;
  const before = await count();
  base.clock.advance(days(15));
  await purgeExpired(base);
  expect([before, await count()]).toEqual([2, 0]);
});

test("a run that is late skips no part of what another has begun", async () => {
  const { base, here, dana } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const person = await makePerson(base, { fullName: "Ottoline Farrow" });
  const event = (rowid: number) =>
    base.db.run(sql`INSERT INTO ticket_events(rowid, id, organization_id, ticket_id, kind, from_value, actor_name, actor_side, at)
      VALUES (${rowid}, ${base.newId("tev")}, ${here.id}, ${ticket.id}, 'assigned', ${person.fullName}, 'Sam Lee', 'staff', 0)`);
  await event(4_000);
  await event(6_000);
  const step = NAME_PLACES.findIndex(({ table, name }) => table === "ticket_events" && name === "from_value") - 1;
  const erasure = { user_id: person.id, name: person.fullName, email: person.email, requested_at: base.now(), step };
  await base.db.insert(personErasures).values(erasure);

  const withRun = (run: Ctx["db"]["run"]) => derive(base, { db: { ...base.db, run } });
  let runs = 0;
  const interrupted = withRun(((query: Parameters<Ctx["db"]["run"]>[0]) => {
    runs += 1;
    if (runs > 2) throw new Error("The worker has ended");
    return base.db.run(query);
  }) as Ctx["db"]["run"]);
  let isFirst = true;
  const late = withRun((async (query: Parameters<Ctx["db"]["run"]>[0]) => {
    if (isFirst) {
      isFirst = false;
      await eraseRestOfPeople(interrupted).catch(() => undefined);
    }
    return base.db.run(query);
  }) as unknown as Ctx["db"]["run"]);
  await eraseRestOfPeople(late);
  expect(await base.db.$count(personErasures)).toBe(0);
  expect(await base.db.$count(ticketEvents, sql`from_value = ${person.fullName}`)).toBe(0);
});
