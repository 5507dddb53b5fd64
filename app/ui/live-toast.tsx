import { X } from "lucide-react";
import { IconButton } from "./icon-button";
import { Link } from "./link";

type Toast = {
  /** Tells one event from the next, so that two with the same words are both announced. */
  key: string | number;
  title: string;
  message: string;
  to?: string;
};

/**
 * Tells in a corner of the page that something is new. The region is part of the page from the start and is polite: it
 * waits until the reader pauses, takes no focus and goes away when the reader says so, not after some time.
 */
export function LiveToast({ toast, onClose }: { toast: Toast | null; onClose: () => void }) {
  return (
    <div role="status">
      {toast ? (
        <div
          className="floating fixed inset-[auto_1rem_1rem_auto] z-6 grid w-[min(22rem,100vw-2rem)] grid-cols-[minmax(0,1fr)_auto] gap-x-3 rounded-2 border border-line-strong border-l-4 border-l-brand bg-raised px-[1.1rem] py-[0.85rem]"
          key={toast.key}
        >
          <strong className="col-start-1">{toast.title}</strong>
          <p className="col-start-1">{toast.to ? <Link to={toast.to}>{toast.message}</Link> : toast.message}</p>
          <IconButton className="[grid-area:1/2/3/3]" of={X} label={`Close: ${toast.title}`} onClick={onClose} />
        </div>
      ) : null}
    </div>
  );
}
