import type { Mailer, OutgoingMail } from "~/platform/mailer.server";

export type EventOptions = {
  kind: "deferred" | "delivered" | "complained" | "rejected" | "failed" | "bounced";
  messageId: string;
  eventId?: string;
  at?: number;
  bounce?: "hard" | "soft";
  rejection?: string;
};

let made = 0;

/** Returns an event as the platform's queue hands it over. */
export function deliveryEvent({ kind, messageId, eventId, at = 0, bounce, rejection }: EventOptions) {
  made += 1;
  return {
    type: `cf.email.sending.message.${kind}`,
    source: { type: "email.sending", zoneId: "023e105f4ecef8ad9ca31a8372d0c353", domain: "wrenfield.example" },
    payload: {
      eventId: eventId ?? `event-${made}`,
      messageId,
      sender: "hello@wrenfield.example",
      recipient: "visitor@larkspur.example",
      terminal: kind !== "deferred",
      delivery: { status: kind },
      ...(bounce ? { bounce: { type: bounce } } : {}),
      ...(rejection ? { rejection: { reason: rejection } } : {}),
    },
    metadata: { accountId: "acc", eventSchemaVersion: 1, eventTimestamp: new Date(at).toISOString() },
  };
}

/**
 * Stands for a mail service: it gives each mail an id of its own, and tells what became of it late, twice and in the
 * wrong order. Mail to `bouncing` addresses comes back.
 */
export function mailProvider({ bouncing }: { bouncing: readonly string[] }) {
  const accepted: (OutgoingMail & { messageId: string })[] = [];
  let events: { wait: number; event: ReturnType<typeof deliveryEvent> }[] = [];
  const isBouncing = (to: string) => bouncing.includes(to);

  function tell({ to }: OutgoingMail, messageId: string) {
    const kinds = isBouncing(to) ? (["bounced", "delivered"] as const) : (["delivered", "deferred"] as const);
    // At once, when the worker may not have written down the id yet, and again later.
    for (const [order, kind] of kinds.entries()) {
      const event = deliveryEvent({ kind, messageId, eventId: `${messageId}-${kind}` });
      events.push({ wait: order, event }, { wait: 2, event });
    }
  }

  return {
    accepted,
    isBouncing,
    mailer: {
      provider: "cloudflare",
      isIdempotent: false,
      send: async (mail) => {
        const messageId = `0101-${accepted.length + 1}-${mail.id}`;
        accepted.push({ ...mail, messageId });
        tell(mail, messageId);
        return { kind: "sent", messageId };
      },
    } satisfies Mailer,
    hasEvents: () => events.length > 0,
    /** Takes the events whose minute has come. */
    eventsDue: () => {
      const due = events.filter(({ wait }) => wait <= 0).map(({ event }) => event);
      events = events.filter(({ wait }) => wait > 0).map(({ wait, event }) => ({ wait: wait - 1, event }));
      return due;
    },
    bringAgain: (again: readonly ReturnType<typeof deliveryEvent>[]) => {
      events.push(...again.map((event) => ({ wait: 0, event })));
    },
  };
}
