import type { ReactNode } from "react";
import { suggestedPages } from "~/content/navigation";
import type { Feature } from "~/content/services";
import { CONTACT_PATH } from "~/lib/addresses";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Check, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Mono } from "~/ui/text";
import { SectionRow } from "./section-row";

export function PageWidth({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cx("mx-auto max-w-page px-gutter", className)}>{children}</div>;
}

export function LeadText({ className, children }: { className?: string; children: ReactNode }) {
  return <p className={cx("max-w-[34em] text-ink-2 text-lead/[1.5]", className)}>{children}</p>;
}

type SitePageProps = {
  title: ReactNode;
  lead?: ReactNode;
  breadcrumb?: ReactNode;
  children?: ReactNode;
};

export function SitePage({ title, lead, breadcrumb, children }: SitePageProps) {
  return (
    <PageWidth>
      <div className="pt-section pb-[clamp(1.75rem,3vw,2.75rem)]">
        {breadcrumb}
        <h1>{title}</h1>
        {lead ? <LeadText className="mt-4">{lead}</LeadText> : null}
      </div>
      {children}
    </PageWidth>
  );
}

export function LinkList({ items }: { items: readonly { to: string; label: string; text: string }[] }) {
  return (
    <ul className="*:grid *:grid-cols-[minmax(0,2fr)_minmax(0,5fr)] *:gap-x-8 *:gap-y-1 *:border-line-strong *:not-first:border-t *:py-[0.8rem] *:first:pt-0 max-md:*:grid-cols-1 [&_a]:font-semibold [&_span]:text-ink-2">
      {items.map(({ to, label, text }) => (
        <li key={to}>
          <Link to={to}>{label}</Link> <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Enough to see the mistake in it. */
const SHOWN = 120;

export function PageNotFound({ path }: { path: string }) {
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  return (
    <SitePage
      title="Page Not Found"
      lead={
        <>
          There's nothing at <Mono>{shown}</Mono>. It may have moved.
        </>
      }
    >
      <p className="mb-section">
        <LinkButton to="/">Return to Home</LinkButton>
      </p>
      <SectionRow id="ways" title="Or try these">
        <LinkList items={suggestedPages.map(({ label, path: to, text }) => ({ to, label, text }))} />
      </SectionRow>
    </SitePage>
  );
}

type InvitationBandProps = {
  title: string;
  text: string;
  label: string;
  to?: string;
  carriesEstimate?: boolean;
};

export function InvitationBand({ title, text, label, to = CONTACT_PATH, carriesEstimate }: InvitationBandProps) {
  return (
    <section
      className="on-deep bg-brand-deep text-on-deep-2 [--color-focus:var(--color-canary)] print:hidden"
      aria-labelledby="invitation"
      data-band=""
    >
      <PageWidth className="grid grid-cols-[1fr_auto] items-end gap-8 py-band max-md:grid-cols-1 max-md:items-start">
        <div>
          <h2 className="text-3xl text-on-deep" id="invitation">
            {title}
          </h2>
          <p className="mt-4">{text}</p>
        </div>
        <LinkButton variant="accent" to={to} data-estimate={carriesEstimate ? "" : undefined}>
          {label}
        </LinkButton>
      </PageWidth>
    </section>
  );
}

/**
 * The background begins a little below the top of the line, so that it does not cover the letters of the line above.
 */
export function Highlight({ children }: { children: ReactNode }) {
  return (
    <span className="-mx-[0.08em] bg-[linear-gradient(#0000_10%,var(--color-canary)_0)] box-decoration-clone px-[0.08em] text-on-canary forced-colors:text-[MarkText] forced-colors:[background:Mark]">
      {children}
    </span>
  );
}

export function KeySentence({ children }: { children: ReactNode }) {
  return (
    <div>
      <p className="max-w-[26em] text-balance font-bold text-2xl/[1.2] tracking-[-0.018em]">{children}</p>
    </div>
  );
}

export function Price({ amount, unit, className }: { amount: string; unit: ReactNode; className?: string }) {
  return (
    <p className={cx("font-bold text-3xl/[1] tracking-[-0.03em]", className)}>
      {amount} <small className="inline-block font-normal text-base/[1.3] text-ink-2 tracking-[0]">{unit}</small>
    </p>
  );
}

export function FeatureBlocks({ features }: { features: readonly Feature[] }) {
  return (
    <div className="*:border-line-strong *:not-first:border-t *:pt-[1.35rem] *:pb-6 *:first:pt-0 [&_p]:mt-[0.4rem] [&_p]:text-ink-2">
      {features.map(({ title, text }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      ))}
    </div>
  );
}

/** What happens to people, told before what there is against it. */
export function Situations({ situations }: { situations: readonly Feature[] }) {
  return (
    <SectionRow id="situations" title="On a day like this">
      <FeatureBlocks features={situations} />
    </SectionRow>
  );
}

export function TickList({ items }: { items: readonly string[] }) {
  return (
    <ul className="*:flex *:max-w-[66ch] *:gap-3 *:py-2 *:first:pt-0 [&_svg]:mt-[0.25em] [&_svg]:text-brand">
      {items.map((item) => (
        <li key={item}>
          <Icon of={Check} />
          <span className="wrap-anywhere">{item}</span>
        </li>
      ))}
    </ul>
  );
}
