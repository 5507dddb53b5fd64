import { useEffect, useState } from "react";

/** Delays "Saving…" in milliseconds: what is faster needs no word. */
const SAVING_DELAY_MS = 300;

/** Tells whether a state has lasted for a moment. */
export function useDelayed(isOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isOn) return setIsLong(false);
    const timer = setTimeout(() => setIsLong(true), SAVING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isOn && isLong;
}
