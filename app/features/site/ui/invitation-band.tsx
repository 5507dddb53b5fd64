import { CONTACT_PATH } from "~/lib/addresses";
import { LinkButton } from "~/ui/button";
import { PageWidth } from "./page-width";

type InvitationBandProps = {
  title: string;
  text: string;
  label: string;
  to?: string;
  /** Tells whether the link is marked for the estimator's script, which keeps its address in step. */
  carriesEstimate?: boolean;
};

/** Shows the deep band that closes a page with the one thing to do next. */
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
