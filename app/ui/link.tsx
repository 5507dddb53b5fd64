import { useNavigate } from "@remix-run/react";
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { Link as ClientLink } from "react-router-dom";
import { isHydratedPage } from "~/lib/hydrated-pages";

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { to: string; children: ReactNode };

/**
 * Tells whether the client router may follow a link. A client-side navigation to a page without the framework would
 * bring the framework's scripts along, so only pages of hydrated areas qualify, and the page's own query ("?page=2").
 */
function isClientSide(to: string): boolean {
  return to.startsWith("?") || isHydratedPage(to.split(/[?#]/, 1)[0] ?? "");
}

/**
 * Tells whether this is the server, which follows no link. There a `Link` of the router renders the same anchor, at
 * many times its cost.
 */
const isServer = typeof document === "undefined";

/** Shows a link whose address decides how it is followed. Without scripts both kinds are the same plain anchor. */
export function Link({ to, children, ...rest }: LinkProps) {
  if (!(isServer && to.startsWith("/")) && isClientSide(to)) {
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

/**
 * Returns the attributes of an element with many plain links, which makes the router follow them as it follows a
 * `Link`. Rendering a `Link` costs many times as much as an anchor, which counts in every row of a list.
 */
export function useLinksInside() {
  const navigate = useNavigate();
  const onClick = (event: MouseEvent) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey, target } = event;
    const to = (target as Element).closest("a")?.getAttribute("href");
    if (!to?.startsWith("/") || !isClientSide(to) || event.defaultPrevented) return;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return { onClick };
}
