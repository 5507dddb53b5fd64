import { useBrand } from "~/features/settings/brand";
import { mailtoHref } from "~/lib/contact-links";
import { Link } from "~/ui/link";
import type { PortalLayoutData } from "../layout.server";

type Plan = NonNullable<PortalLayoutData["organization"]>["plan"];

/** Says in one line how to reach a person, and when, by the organization's plan. */
export function PortalFooter({ plan }: { plan: Plan }) {
  const { phone, supportEmail, hours } = useBrand();
  const times = [hours, AROUND_THE_CLOCK[plan]].filter(Boolean).join(", ");
  return (
    <footer className="border-line border-t text-ink-2 text-sm print:hidden">
      <div className="wrap-anywhere mx-auto flex max-w-portal flex-wrap items-baseline gap-x-6 gap-y-1 px-portal-edge py-4 [&_a]:inline-block max-md:[&_a]:py-1">
        <span>
          Help:{" "}
          {phone ? <a href={phone.href}>{phone.display}</a> : <a href={mailtoHref(supportEmail)}>{supportEmail}</a>}
        </span>
        {phone ? <a href={mailtoHref(supportEmail)}>{supportEmail}</a> : null}
        {times ? <span>{times}</span> : null}
        <Link className="md:ml-auto" to="/privacy">
          Privacy
        </Link>
      </div>
    </footer>
  );
}

/** Says what each plan adds to the opening hours. */
const AROUND_THE_CLOCK: Record<Plan, string> = {
  none: "",
  basic: "",
  core: "urgent help 24/7 on your Core plan",
  premium: "24/7 on your Premium plan",
};
