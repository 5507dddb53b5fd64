import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** In milliseconds. */
const LOOKS_AGAIN = 3_000;

/** Reads a page anew every few seconds while work on it is under way. */
export function useLooksAgain(isActive: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setInterval(revalidate, LOOKS_AGAIN);
    return () => clearInterval(timer);
  }, [isActive, revalidate]);
}
