import { lazy, Suspense, useEffect, useState } from "react";
import type { OfferedReply } from "~/features/canned-replies/queries.server";

/** Is a script of its own, which no page waits for. */
const SlashReplies = lazy(() => import("./slash-replies.client"));

/** Offers saved replies while "/" is typed in the text area before it; see there. It shows nothing without scripts. */
export function OfferReplies({ replies }: { replies: readonly OfferedReply[] }) {
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  return isInBrowser && replies.length > 0 ? (
    <Suspense fallback={null}>
      <SlashReplies replies={replies} />
    </Suspense>
  ) : null;
}
