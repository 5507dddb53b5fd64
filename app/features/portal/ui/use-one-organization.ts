import { useMatches } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** Describes what the loader of a page in an organization returns, so that the frame can tell whose page it is. */
type PageData = { organizationId?: string };

/**
 * Loads the document anew when its parts are about different organizations: the person has switched in another tab, and
 * since then something was read again. `organizationId`: that of the frame.
 */
export function useOneOrganization(organizationId: string | null): void {
  const shown = useRef(organizationId);
  const page = useMatches().at(-1)?.data as PageData | undefined;
  const isOther = (other: string | null | undefined) => Boolean(other) && other !== organizationId;
  const isMixed = isOther(shown.current) || isOther(page?.organizationId);
  if (shown.current === null) shown.current = organizationId;
  useEffect(() => {
    if (isMixed) location.reload();
  }, [isMixed]);
}
