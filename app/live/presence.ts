import type { PresenceFrame } from "./protocol";

/** The socket's side sets `send`, which does nothing while there is no connection; the page's side sets the others. */
export const presence = {
  send: (_frame: string): void => {},
  /**
   * Is called when there is a connection, where nobody knows yet what the page shows, and when there is none any more.
   */
  onState: (_isLive: boolean): void => {},
  onPeople: (_frame: PresenceFrame): void => {},
};
