import type { Brand } from "~/content/brand";
import { expectations } from "~/content/expectations";
import { Docket } from "~/ui/docket";

type ExpectationsProps = { brand: Pick<Brand, "address" | "phone" | "email" | "hours"> };

/** What follows a request, and every other way to reach us. */
export function Expectations({ brand }: ExpectationsProps) {
  return (
    <Docket id="expect" title="What to Expect" as="aside" copy>
      <ol className="steps">
        {expectations.map(({ title, text }) => (
          <li key={title}>
            <b>{title}</b>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      <address className="reach">
        {brand.address.length > 0 ? (
          <span>
            {brand.address.map((line) => (
              <span className="line" key={line}>
                {line}
              </span>
            ))}
          </span>
        ) : null}
        {brand.phone ? <a href={brand.phone.href}>{brand.phone.display}</a> : null}
        <a href={`mailto:${brand.email}`}>{brand.email}</a>
        <span className="muted">
          {brand.hours ? `${brand.hours}. ` : null}24/7 support for Core and Premium clients.
        </span>
      </address>
    </Docket>
  );
}
