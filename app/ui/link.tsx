import { useNavigate } from "@remix-run/react";
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { Link as ClientLink } from "react-router-dom";
import { isHydratedPage } from "~/lib/hydrated-pages";

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { to: string; children: ReactNode };

/** A page without the framework would bring the framework's scripts along: only hydrated pages and "?page=2". */
function isClientSide(to: string): boolean {
  return to.startsWith("?") || isHydratedPage(to.split(/[?#]/, 1)[0] ?? "");
}

/** There a `Link` of the router renders the same anchor, at many times its cost. */
const isServer = typeof document === "undefined";

/** Without scripts both kinds are the same plain anchor. */
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

/** Rendering a `Link` costs many times as much as an anchor, which counts in every row of a list. */
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
