import type { Brand } from "~/content/brand";
import { footerColumns, legalLinks } from "~/content/navigation";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { ThemeButtons } from "~/ui/theme-form";

type SiteFooterProps = { brand: Pick<Brand, "name" | "address" | "phone" | "email">; year: number };

/** Footer of the public site: who we are, where everything is, and how to reach a person. */
export function SiteFooter({ brand, year }: SiteFooterProps) {
  return (
    <footer className="foot on-deep">
      <div className="wrap">
        <div>
          <Logo name={brand.name} to="/" />
          <address>
            {brand.address.map((line) => (
              <span className="line" key={line}>
                {line}
              </span>
            ))}
            {brand.phone ? (
              <a className="line" href={brand.phone.href}>
                {brand.phone.display}
              </a>
            ) : null}
            <a className="line" href={`mailto:${brand.email}`}>
              {brand.email}
            </a>
          </address>
        </div>
        {footerColumns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ label, path }) => (
                <li key={path}>
                  <Link to={path}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="last">
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
      </div>
    </footer>
  );
}
