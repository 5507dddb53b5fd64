import { EstimateCard } from "~/features/pricing/ui/estimate-summary";
import { LinkButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { Mono } from "~/ui/mono";
import type { Receipt } from "../receipt.server";

/** Shows what a visitor keeps who has just sent the form: the number to quote, the promise and the estimate. */
export function SentReceipt({ receipt: { number, replyBy, estimate, isMailDelayed } }: { receipt: Receipt }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-6" aria-label="Your receipt">
      <FactList
        terms="long"
        facts={[
          { term: "Your reference", detail: <Mono>{number}</Mono> },
          { term: "We reply by", detail: <strong>{replyBy}</strong> },
        ]}
      />
      {estimate ? <EstimateCard estimate={estimate}>It was sent with your message.</EstimateCard> : null}
      <p className="text-ink-2">
        {isMailDelayed
          ? "A copy will come to your email address. Our mail is delayed right now, so it may take some hours."
          : "A copy is on its way to your email address. If it isn’t there in a few minutes, check your spam folder."}
      </p>
      <div>
        <LinkButton variant="quiet" to="/contact">
          Send another
        </LinkButton>
      </div>
    </section>
  );
}
