import type { MetaDescriptor } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { rootBrand } from "~/features/settings/brand";
import { PROFILE_PATH } from "~/lib/addresses";
import { Breadcrumb } from "~/ui/breadcrumb";

type AccountPageProps = {
  title: string;
  lead?: ReactNode;
  /** Tells whether it is a page below the profile, which leads back there. */
  isBelow?: boolean;
  children: ReactNode;
};

/** The title of the profile itself, to which the pages below it lead back. */
export const PROFILE_TITLE = "Personal Settings";

/**
 * Shows a personal page with its headline and its content below. The frame around it has its own style sheet, which
 * says how much room there is: `section` and `head` are smaller inside an area than on the site.
 */
export function AccountPage({ title, lead, isBelow = false, children }: AccountPageProps) {
  return (
    <>
      {isBelow ? <Breadcrumb items={[{ label: PROFILE_TITLE, to: PROFILE_PATH }, { label: title }]} dense /> : null}
      <div className="@max-narrow:clear-both pb-head">
        <h1>{title}</h1>
        {lead ? <p className="mt-lead max-w-[34em] text-ink-2 text-lead/[1.5]">{lead}</p> : null}
      </div>
      <div className="clear-both">{children}</div>
    </>
  );
}

/** Shows the content of an account page in one narrow column. */
export function AccountBody({ children }: { children: ReactNode }) {
  return <div className="grid max-w-160 grid-cols-[minmax(0,1fr)] gap-6 pb-[clamp(3rem,6vw,5rem)]">{children}</div>;
}

/** Returns the title of an account page, with "Error: " in front when its form was rejected. */
export const accountMeta = (
  matches: Parameters<typeof rootBrand>[0],
  title: string,
  hasErrors: boolean,
): MetaDescriptor[] => [
  { title: `${hasErrors ? "Error: " : ""}${title} | ${rootBrand(matches).name}` },
  { name: "robots", content: "noindex" },
];
