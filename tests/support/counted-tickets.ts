import { sql } from "drizzle-orm";
import type { TicketPriority } from "~/features/tickets/model";
import { notifyOfTargets } from "~/jobs/ticket-jobs.server";
import type { Person } from "./factories";
import { nov } from "./sla-story";
import { ticketWorld, valueOf } from "./tickets";

/** Returns the world of tickets, in which things happen at local times of November 2026: `"18 09:00"`. */
export async function tellingWorld() {
  const world = await ticketWorld();
  const { base, here, there, dana, ivy, sam } = world;
  const set = (at: string) => base.clock.set(Date.parse(nov(at)));
  const staff = world.staff(sam);
  const clientOf = (person: Person) => (person === ivy ? world.client(ivy, there, "owner") : world.client(dana, here));
  /** Does something at a time. */
  const at =
    <Values extends unknown[], Made>(act: (...values: Values) => Made) =>
    (time: string, ...values: Values) => {
      set(time);
      return act(...values);
    };
  return {
    ...world,
    set,
    opens: at(
      async (person: Person, priority: TicketPriority) =>
        valueOf(await clientOf(person).open({ priority, impact: "All" })).id,
    ),
    staffOpens: at(async (person: Person, priority: TicketPriority) => {
      const requester = { userId: person.id };
      return valueOf(await staff.open(person === ivy ? there.id : here.id, { priority, impact: "All", requester })).id;
    }),
    notes: at((ticketId: string) => staff.note(ticketId, "Known fault.")),
    replies: at((ticketId: string, whyLate?: string) => staff.reply(ticketId, { baseMessage: 99, whyLate })),
    writes: at((person: Person, ticketId: string) => clientOf(person).reply(ticketId)),
    moves: at(staff.setStatus),
    resolves: at((ticketId: string) =>
      staff.reply(ticketId, { text: "", effect: "resolve", resolution: "Replaced the cable.", baseMessage: 99 }),
    ),
    reopens: at((person: Person, ticketId: string) => clientOf(person).move(ticketId, "reopen")),
    judges: at(() => notifyOfTargets(base)),
    votes: async (at: string, person: Person, ticketId: string, isSolved: boolean) => {
      await base.db.run(sql`
        INSERT INTO ticket_votes(organization_id, ticket_id, user_id, is_solved, at)
        SELECT organization_id, id, ${person.id}, ${isSolved}, ${Date.parse(nov(at))} FROM support_tickets
        WHERE id = ${ticketId}`);
      await base.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticketId}`);
    },
  };
}
