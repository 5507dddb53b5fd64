import { type RefObject, useEffect, useRef } from "react";

/** Takes an element over. Returns what gives it back. */
type Enhancement<E extends HTMLElement> = (element: E) => () => void;

/**
 * Returns the ref of an element that a script of its own takes over once it is loaded, so that no page waits for it and
 * each works without it. `load` is called once.
 */
export function useEnhancement<E extends HTMLElement>(load: () => Promise<Enhancement<E>>): RefObject<E> {
  const element = useRef<E>(null);
  const first = useRef(load);
  useEffect(() => {
    let release = () => {};
    let isGone = false;
    first.current().then(
      (enhance) => {
        if (!isGone && element.current) release = enhance(element.current);
      },
      // The script could not be loaded; the page works without it.
      () => {},
    );
    return () => {
      isGone = true;
      release();
    };
  }, []);
  return element;
}
