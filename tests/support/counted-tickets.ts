import { sql } from "drizzle-orm";
import type { StaffActor } from "~/features/auth/guards.server";
import { changeStatus, changeStatusAsClient } from "~/features/tickets/commands.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import type { TicketActor, TicketPriority } from "~/features/tickets/model";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { notifyOfTargets } from "~/jobs/ticket-jobs.server";
import type { Person } from "./factories";
import { nov } from "./sla-story";
import { ticketWorld } from "./tickets";

const nonce = () => crypto.randomUUID();

/** Returns the world of tickets, in which things happen at local times of November 2026: `"18 09:00"`. */
export async function tellingWorld() {
  const world = await ticketWorld();
  const { base, here, there, dana, ivy, sam } = world;
  const set = (at: string) => base.clock.set(Date.parse(nov(at)));
  const staff = world.staff(sam);
  const by: TicketActor = { userId: sam.id, fullName: sam.fullName, side: "staff" };
  const clientOf = (person: Person) => (person === ivy ? world.client(ivy, there, "owner") : world.client(dana, here));
  const opened = async (priority: TicketPriority, person: Person, forUser?: string) => {
    const { ctx, actor } = forUser ? staff : clientOf(person);
    const organizationId = person === ivy ? there.id : here.id;
    const details = { title: "Printer offline", description: "It blinks.", category: null, impact: "All" };
    const input = {
      ...details,
      organizationId,
      priority,
      nonce: nonce(),
      ...(forUser ? { requester: { userId: forUser } } : {}),
    };
    const ticket = await openTicket(ctx, actor as StaffActor, input);
    if (!ticket.ok) throw new Error(ticket.code);
    return ticket.value.id;
  };
  return {
    ...world,
    set,
    opens: (at: string, person: Person, priority: TicketPriority) => {
      set(at);
      return opened(priority, person);
    },
    staffOpens: (at: string, person: Person, priority: TicketPriority) => {
      set(at);
      return opened(priority, person, person.id);
    },
    notes: (at: string, ticketId: string) => {
      set(at);
      return addInternalNote(staff.ctx, staff.actor, { ticketId, text: "Known fault.", nonce: nonce() });
    },
    replies: (at: string, ticketId: string, whyLate?: string) => {
      set(at);
      const text = { text: "Please restart it.", effect: "send", baseMessage: 99, nonce: nonce() } as const;
      return replyAsStaff(staff.ctx, staff.actor, { ticketId, ...text, whyLate });
    },
    writes: (at: string, person: Person, ticketId: string) => {
      set(at);
      const { ctx, actor } = clientOf(person);
      return replyAsClient(ctx, actor, { ticketId, text: "It still blinks.", nonce: nonce() });
    },
    moves: (at: string, ticketId: string, status: "open" | "in_progress" | "waiting_for_customer" | "closed") => {
      set(at);
      return changeStatus(staff.ctx, by, { ticketId, status, nonce: nonce() });
    },
    resolves: (at: string, ticketId: string) => {
      set(at);
      const resolution = { text: "", effect: "resolve", resolution: "Replaced the cable." } as const;
      return replyAsStaff(staff.ctx, staff.actor, { ticketId, ...resolution, baseMessage: 99, nonce: nonce() });
    },
    reopens: (at: string, person: Person, ticketId: string) => {
      set(at);
      const { ctx, actor } = clientOf(person);
      return changeStatusAsClient(ctx, actor, { ticketId, move: "reopen", message: null, nonce: nonce() });
    },
    judges: (at: string) => {
      set(at);
      return notifyOfTargets(base);
    },
    votes: async (at: string, person: Person, ticketId: string, isSolved: boolean) => {
      await base.db.run(sql`
        INSERT INTO ticket_votes(organization_id, ticket_id, user_id, is_solved, at)
        SELECT organization_id, id, ${person.id}, ${isSolved}, ${Date.parse(nov(at))} FROM support_tickets
        WHERE id = ${ticketId}`);
      await base.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticketId}`);
    },
  };
}
