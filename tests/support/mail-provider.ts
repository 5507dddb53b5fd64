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
