import { type ComponentType, useEffect, useState } from "react";
import type { OfferedReply } from "~/features/canned-replies/queries.server";

type Props = { replies: readonly OfferedReply[] };

/**
 * Offers saved replies while "/" is typed in the text area before it, by a script of its own: see there. Without it,
 * also where it cannot be loaded, nothing is shown and nothing is lost.
 */
export function OfferReplies(props: Props) {
  const [Offered, setOffered] = useState<ComponentType<Props>>();
  useEffect(() => {
    import("./slash-replies.client").then(
      ({ SlashReplies }) => setOffered(() => SlashReplies),
      () => {},
    );
  }, []);
  return Offered ? <Offered {...props} /> : null;
}
