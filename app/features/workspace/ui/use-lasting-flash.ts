import { useLocation } from "@remix-run/react";
import { useState } from "react";
import type { Flash } from "~/ui/flash";

/**
 * Returns the message of the action before, until the next navigation. The server gives it once, and a page that
 * refreshes itself because of a colleague's change would remove it before it is read.
 */
export function useLastingFlash(given: Flash | null): Flash | null {
  const { key } = useLocation();
  const [shown, setShown] = useState({ key, flash: given });
  const isNew = given !== null && !isSame(given, shown.flash);
  if (key === shown.key && !isNew) return shown.flash;
  setShown({ key, flash: given });
  return given;
}

const isSame = (left: Flash, right: Flash | null): boolean =>
  left.kind === right?.kind && left.title === right.title && left.message === right.message;
