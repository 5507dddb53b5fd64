import type { MetaDescriptor } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { rootBrand } from "~/features/settings/brand";
import { PROFILE_PATH } from "~/lib/addresses";
import { Breadcrumb } from "~/ui/breadcrumb";

type AccountPageProps = {
  title: string;
  lead?: ReactNode;
  isBelow?: boolean;
  children: ReactNode;
};

export const PROFILE_TITLE = "Personal Settings";

/** The style sheet of the frame says how much room there is: `head` is smaller inside an area than on the site. */
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

export function AccountBody({ children }: { children: ReactNode }) {
  return <div className="grid max-w-160 grid-cols-[minmax(0,1fr)] gap-6 pb-[clamp(3rem,6vw,5rem)]">{children}</div>;
}

export const accountMeta = (
  matches: Parameters<typeof rootBrand>[0],
  title: string,
  hasErrors: boolean,
): MetaDescriptor[] => [
  { title: `${hasErrors ? "Error: " : ""}${title} | ${rootBrand(matches).name}` },
  { name: "robots", content: "noindex" },
];
