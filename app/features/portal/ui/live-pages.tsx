import { useLive } from "~/live/use-live";
import { livePath } from "../model";

type LivePagesProps = {
  organizationId: string;
  /** Holds the number of the newest event in the rendered page. */
  lastSeq: number;
};

/**
 * Reads an open page again when something happens in its organization. It shows nothing, and the page works without.
 */
export function LivePages({ organizationId, lastSeq }: LivePagesProps) {
  useLive(livePath(organizationId), { lastSeq, onEvent: ignore });
  return null;
}

const ignore = () => undefined;
