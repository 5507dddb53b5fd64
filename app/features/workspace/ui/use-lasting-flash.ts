import { useFetchers, useLocation } from "@remix-run/react";
import { useState } from "react";
import type { Flash } from "~/ui/flash";

/**
 * Returns the message of the action before, until the next navigation or form. The server gives it once, and a page that
 * refreshes itself because of a colleague's change would remove it before it is read.
 */
export function useLastingFlash(given: Flash | null): Flash | null {
  const { key } = useLocation();
  const isSending = useFetchers().some(({ state }) => state === "submitting");
  const [last, setLast] = useState({ key, given, flash: given });
  const isNew = given !== null && given !== last.given;
  // The page before may have given the same one: a link does not read the layout again.
  const isOver = isSending || key !== last.key;
  const flash = isNew ? given : isOver ? null : last.flash;
  if (key !== last.key || given !== last.given || flash !== last.flash) setLast({ key, given, flash });
  return flash;
}
