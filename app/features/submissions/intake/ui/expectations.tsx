import type { Brand } from "~/content/brand";
import { expectations } from "~/content/expectations";
import { mailtoHref } from "~/lib/contact-links";
import { Docket } from "~/ui/docket";

type ExpectationsProps = {
  brand: Pick<Brand, "address" | "phone" | "email" | "hours">;
  /** Tells a visitor who has sent the form when the first step is taken at the latest. */
  replyBy?: string;
};

/** Tells what follows a submission, and how else to contact us. */
export function Expectations({ brand, replyBy }: ExpectationsProps) {
  return (
    <Docket id="expect" title="What to Expect" as="aside" hasCarbonCopy>
      <ol className="[counter-reset:step] *:*:col-start-2 *:grid *:grid-cols-[1.6rem_minmax(0,1fr)] *:gap-x-3 *:gap-y-1 *:border-line *:border-b *:px-in *:py-[0.85rem] *:leading-[1.4] *:before:font-bold *:before:text-brand *:before:content-[counter(step)] *:[counter-increment:step] [&_span]:text-ink-2">
        {expectations.map(({ title, text }, index) => (
          <li key={title}>
            <b>{title}</b>
            <span>{index === 0 && replyBy ? `By ${replyBy}` : text}</span>
          </li>
        ))}
      </ol>
      <address className="grid grid-cols-1 gap-[0.6rem] px-in pt-[1.1rem] pb-[1.4rem] not-italic">
        {brand.address.length > 0 ? (
          <span>
            {brand.address.map((line) => (
              <span className="block" key={line}>
                {line}
              </span>
            ))}
          </span>
        ) : null}
        {brand.phone ? <a href={brand.phone.href}>{brand.phone.display}</a> : null}
        <a href={mailtoHref(brand.email)}>{brand.email}</a>
        <span className="text-ink-2">
          {brand.hours ? `${brand.hours}. ` : null}24/7 support for Core and Premium clients.
        </span>
      </address>
    </Docket>
  );
}
