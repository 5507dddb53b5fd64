import { suggestedPages } from "~/content/navigation";
import { LinkButton } from "~/ui/button";
import { Mono } from "~/ui/mono";
import { LinkList } from "./link-list";
import { SectionRow } from "./section-row";
import { SitePage } from "./site-page";

/** Limits how much of an address is shown: enough to see the mistake in it. */
const SHOWN = 120;

/** Says that an address has no page: what was asked for, the link home, and where people usually want to go. */
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
