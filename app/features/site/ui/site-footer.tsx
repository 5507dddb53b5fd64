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
    <footer className="on-deep bg-brand-deep text-base text-on-deep-2 [--color-focus:var(--color-canary)] print:hidden [&_a]:text-on-deep [&_a]:decoration-[color-mix(in_oklab,currentColor_45%,transparent)] [&_a]:hover:decoration-current">
      <PageWidth className="relative grid grid-cols-[1.5fr_1fr_1fr_1fr] gap-9 py-9 *:min-w-0 max-md:grid-cols-1 max-md:gap-0 max-md:py-6 max-lg:grid-cols-2">
        <div className="max-md:mb-4">
          <Logo name={brand.name} to="/" />
          <address className="mt-4 not-italic leading-[1.65] max-md:[&_a]:py-[0.3rem]">
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
        {footerColumns.map((column) => (
          <FooterLinks key={column.title} {...column} />
        ))}
        <div className="max-md:footer-line col-span-full flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm max-md:pt-3 [&>a]:py-[0.35rem]">
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

/**
 * Shows one list of links: open beside the others where there is room, and where the browser can do that; otherwise
 * behind its title.
 */
function FooterLinks({ title, links }: (typeof footerColumns)[number]) {
  return (
    <nav
      className="max-md:footer-line listed:before:mb-[0.6rem] listed:before:block listed:before:font-semibold listed:before:text-on-deep listed:before:content-[attr(aria-label)]"
      aria-label={title}
    >
      <details className="listed:details-content:[block-size:auto] listed:details-content:[content-visibility:visible]">
        <summary className="flex listed:hidden min-h-tap cursor-pointer list-none items-center justify-between font-semibold text-on-deep after:font-normal after:text-lg after:content-['+'] in-open:after:content-['–'] [&::-webkit-details-marker]:hidden">
          {title}
        </summary>
        <ul className="*:py-[0.2rem] max-md:pb-3 max-md:[&_a]:inline-flex max-md:[&_a]:min-h-9 max-md:[&_a]:items-center">
          {links.map(({ label, path }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
