import { dayIn, type Instant } from "~/lib/time";
import { DeliveryState } from "~/ui/delivery-state";
import { Time } from "~/ui/time";
import type { Delivery } from "../../model";

type ReplyDeliveryProps = { delivery: Delivery; repliedAt: Instant; zone: string };

/** Tells whether a reply has left: "Queued", "Sent 14:01", "Not delivered". */
export function ReplyDelivery({ delivery: { status, at, reason }, repliedAt, zone }: ReplyDeliveryProps) {
  const isSameDay = at !== null && dayIn(zone, at) === dayIn(zone, repliedAt);
  const sent =
    at === null ? (
      "Sent"
    ) : (
      <span>
        Sent <Time at={at} zone={zone} mode={isSameDay ? "time" : "short"} />
      </span>
    );
  switch (status) {
    case "pending":
      return <DeliveryState state="waiting">Queued</DeliveryState>;
    case "sending":
      return <DeliveryState state="waiting">Sending</DeliveryState>;
    case "sent":
      return <DeliveryState state="sent">{sent}</DeliveryState>;
    case "delivered":
      return (
        <DeliveryState state="sent">
          <span>{sent}, delivered</span>
        </DeliveryState>
      );
    case "bounced":
    case "dead":
      return <DeliveryState state="failed">Not delivered{reason ? `: ${reason}` : null}</DeliveryState>;
    case "uncertain":
      return <DeliveryState state="failed">Uncertain: it may not have been sent</DeliveryState>;
  }
}
