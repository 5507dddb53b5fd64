import { LinkButton } from "./button";
import { Notice } from "./flash";

type ErrorPanelProps = {
  message: string;
  /** Holds the address of the same page: trying again is loading it again. */
  retryTo: string;
};

/** Stands in for a part that could not be loaded; the rest of the page stays usable. */
export function ErrorPanel({ message, retryTo }: ErrorPanelProps) {
  return (
    <div role="alert">
      <Notice kind="error" title="Error" className="mb-5" message={message} />
      <LinkButton variant="quiet" to={retryTo}>
        Retry
      </LinkButton>
    </div>
  );
}
