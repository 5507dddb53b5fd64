import type { Brand } from "~/content/brand";
import { footerColumns, legalLinks } from "~/content/navigation";
import { mailtoHref } from "~/lib/contact-links";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { ThemeButtons } from "~/ui/theme-form";
import { PageWidth } from "./page-width";

type SiteFooterProps = { brand: Pick<Brand, "name" | "address" | "phone" | "email">; year: number };

/** Shows the footer of the public site: who we are, where everything is, and how to contact a person. */
export function SiteFooter({ brand, year }: SiteFooterProps) {
  return (
    <footer className="on-deep bg-brand-deep text-base text-on-deep-2 [--color-focus:var(--color-canary)] print:hidden [&_a]:text-on-deep [&_a]:no-underline [&_a]:hover:underline [&_a]:hover:decoration-auto">
      <PageWidth className="relative grid grid-cols-[1.5fr_1fr_1fr_1fr] gap-10 pt-11 pb-12 *:min-w-0 max-md:grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] max-md:gap-x-5 max-md:gap-y-7 max-lg:grid-cols-2">
        <div className="max-md:col-span-full">
          <Logo name={brand.name} to="/" />
          <address className="mt-[1.1rem] not-italic leading-[1.65]">
            {brand.address.map((line) => (
              <span className="block" key={line}>
                {line}
              </span>
            ))}
            {brand.phone ? (
              <a className="block" href={brand.phone.href}>
                {brand.phone.display}
              </a>
            ) : null}
            <a className="block" href={mailtoHref(brand.email)}>
              {brand.email}
            </a>
          </address>
        </div>
        {footerColumns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="mb-[0.6rem] font-semibold text-base/[1.4] text-on-deep tracking-[0]">{title}</h2>
            <ul className="*:py-[0.2rem] max-md:[&_a]:block max-md:[&_a]:py-[0.4rem]">
              {links.map(({ label, path }) => (
                <li key={path}>
                  <Link to={path}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="col-span-full flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm [&>a]:py-[0.35rem]">
          <span>
            © {year} {brand.name}
          </span>
          {legalLinks.map(({ label, path }) => (
            <Link key={path} to={path}>
              {label}
            </Link>
          ))}
          <ThemeButtons id="footer-theme" />
        </div>
      </PageWidth>
    </footer>
  );
}
