import { Link as ClientLink } from "@remix-run/react";
import type { AnchorHTMLAttributes, ReactNode } from "react";

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { to: string; children: ReactNode };

/** Areas whose pages run the framework's scripts. Everything else is a document of its own. */
const HYDRATED_AREAS = ["/admin", "/client", "/create-ticket"];

/** Addresses inside those areas that are no pages of theirs: the client sign-in, and files to download. */
const DOCUMENTS = ["/client/auth", "/client/attachments", "/client/exports", "/admin/attachments", "/admin/exports"];

const lies = (path: string, area: string) => path === area || path.startsWith(`${area}/`);

/**
 * Whether the client router may follow a link. A client-side navigation to a marketing page would drag the framework's
 * scripts into it, so only the signed-in areas qualify, and the page's own query ("?page=2").
 */
function isClientSide(to: string): boolean {
  if (to.startsWith("?")) return true;
  const path = to.split(/[?#]/, 1)[0] ?? "";
  return HYDRATED_AREAS.some((area) => lies(path, area)) && !DOCUMENTS.some((area) => lies(path, area));
}

/** A link that decides by its address how it is followed. Without scripts both kinds are the same plain anchor. */
export function Link({ to, children, ...rest }: LinkProps) {
  if (isClientSide(to)) {
    return (
      <ClientLink to={to} {...rest}>
        {children}
      </ClientLink>
    );
  }
  return (
    <a href={to} {...rest}>
      {children}
    </a>
  );
}
