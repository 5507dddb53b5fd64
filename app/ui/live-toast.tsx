import { useLocation } from "@remix-run/react";
import { type KeyboardEvent, type SyntheticEvent, useEffect, useState } from "react";
import { IconButton } from "./icon-button";
import { X } from "./icons";
import { Link } from "./link";

type ToastProps = {
  title: string;
  message: string;
  to: string;
  /** Closes the toast; must stay the same function, or the time starts over. */
  onClose: () => void;
};

type LiveToastProps = {
  /** Holds the toast; its key tells one event from the next, so that two with the same words are both announced. */
  toast: (Omit<ToastProps, "onClose"> & { key: string | number }) | null;
  onClose: () => void;
};

const SHOWN_MS = 10_000;

/**
 * Tells in the navigation that something is new, where it covers no control: in the free part of the column, on a phone
 * in the place of the logo. The region is part of the page from the start and is polite: it waits until the reader
 * pauses and takes no focus.
 */
export function LiveToast({ toast, onClose }: LiveToastProps) {
  return (
    <div
      role="status"
      className="max-md:not-empty:order-first max-md:not-empty:mr-auto max-md:min-w-0 md:mt-auto md:empty:-mb-5"
    >
      {toast ? <Toast {...toast} key={toast.key} onClose={onClose} /> : null}
    </div>
  );
}

/** Goes away after a while, but not while somebody points at it or has the focus in it, and once its page is open. */
function Toast({ title, message, to, onClose }: ToastProps) {
  const [isHeld, setHeld] = useState(false);
  const { pathname } = useLocation();
  const isOpened = pathname === to;
  useEffect(() => {
    if (isHeld && !isOpened) return;
    const timer = setTimeout(onClose, isOpened ? 0 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, isOpened, onClose]);
  const updateHeld = ({ currentTarget }: SyntheticEvent) => setHeld(currentTarget.matches(":hover, :focus-within"));
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onClose();
  };
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 border-line-strong border-l-4 border-l-brand bg-raised pl-2 text-xs/[1.4] md:rounded-2 md:border-y md:border-r md:py-2"
      data-live-toast=""
      onPointerEnter={updateHeld}
      onPointerLeave={updateHeld}
      onFocus={updateHeld}
      onBlur={updateHeld}
      onKeyDown={closeByKey}
    >
      <strong className="col-start-1 truncate">{title}</strong>
      <p className="col-start-1 max-md:truncate">
        <Link to={to}>{message}</Link>
      </p>
      <IconButton className="[grid-area:1/2/3/3]" of={X} label={`Close: ${title}`} onClick={onClose} />
    </section>
  );
}
