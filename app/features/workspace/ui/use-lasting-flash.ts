import { useFetchers, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Flash } from "~/ui/flash";
import { landing } from "~/ui/not-saved";

/**
 * Returns the message of the action before, until the next navigation or form: the one that came with the document, and
 * later what a form has left in `landing`. That is taken once the page that the form leads to is there, or whichever
 * page somebody went to instead. What a page reads again because of a colleague's change has no message, and takes none
 * away.
 */
export function useLastingFlash(ofDocument: Flash | null): Flash | null {
  const { key } = useLocation();
  const fetchers = useFetchers();
  const isBusy = useNavigation().state !== "idle" || fetchers.some(({ state }) => state !== "idle");
  const isSending = fetchers.some(({ state }) => state === "submitting");
  const [shown, setShown] = useState({ key, flash: ofDocument });
  useEffect(() => {
    if (isBusy || !landing.flash) return;
    setShown({ key, flash: landing.flash });
    landing.flash = null;
  });
  if (!isSending && key === shown.key) return shown.flash;
  if (shown.flash) setShown({ key, flash: null });
  return null;
}
