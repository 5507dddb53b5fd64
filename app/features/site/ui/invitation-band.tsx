import { LinkButton } from "~/ui/button";

type InvitationBandProps = {
  title: string;
  text: string;
  label: string;
  to?: string;
  /** Marks the link for the estimator's script, which keeps its address in step. */
  carriesEstimate?: boolean;
};

/** The deep band that closes a page with the one thing to do next. */
export function InvitationBand({ title, text, label, to = "/contact", carriesEstimate }: InvitationBandProps) {
  return (
    <section className="band on-deep" aria-labelledby="invitation">
      <div className="wrap">
        <div>
          <h2 id="invitation">{title}</h2>
          <p>{text}</p>
        </div>
        <LinkButton variant="canary" to={to} data-estimate={carriesEstimate ? "" : undefined}>
          {label}
        </LinkButton>
      </div>
    </section>
  );
}
