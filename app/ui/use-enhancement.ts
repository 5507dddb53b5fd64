import { type RefObject, useEffect, useRef } from "react";

type Enhancement<E extends HTMLElement> = (element: E) => () => void;

/** No page waits for the script, and each works without it. `load` must always be the same function. */
export function useEnhancement<E extends HTMLElement>(load: () => Promise<Enhancement<E>>): RefObject<E> {
  const ref = useRef<E>(null);
  useEffect(() => {
    let release: (() => void) | undefined;
    let isGone = false;
    load().then(
      (enhance) => {
        if (!isGone && ref.current) release = enhance(ref.current);
      },
      // The script could not be loaded.
      () => {},
    );
    return () => {
      isGone = true;
      release?.();
    };
  }, [load]);
  return ref;
}
