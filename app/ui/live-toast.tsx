import { X } from "lucide-react";
import { Icon } from "./icon";
import { Link } from "./link";

type Toast = {
  /** Tells one event from the next, so that two with the same words are both announced. */
  key: string | number;
  title: string;
  message: string;
  to?: string;
};

/**
 * A note in the corner that something arrived. The region stands in the page from the start and is polite: it waits
 * until the reader pauses, takes no focus and goes away when the reader says so, not after some time.
 */
export function LiveToast({ toast, onClose }: { toast: Toast | null; onClose: () => void }) {
  return (
    <div role="status">
      {toast ? (
        <div className="toast" key={toast.key}>
          <strong>{toast.title}</strong>
          <p>{toast.to ? <Link to={toast.to}>{toast.message}</Link> : toast.message}</p>
          <button className="x" type="button" aria-label={`Close: ${toast.title}`} onClick={onClose}>
            <Icon of={X} />
          </button>
        </div>
      ) : null}
    </div>
  );
}
