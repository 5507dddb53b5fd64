import { useBrand } from "~/features/settings/brand";
import { mailtoHref } from "~/lib/contact-links";

/** Shows how to reach a person: phone and mail. */
export function ContactLinks() {
  const { phone, supportEmail } = useBrand();
  return (
    <p className="wrap-anywhere flex flex-wrap gap-x-4 gap-y-1 max-md:[&_a]:py-2">
      {phone ? <a href={phone.href}>{phone.display}</a> : null}
      <a href={mailtoHref(supportEmail)}>{supportEmail}</a>
    </p>
  );
}
