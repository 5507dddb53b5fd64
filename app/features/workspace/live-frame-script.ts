/*
 * The script that keeps the frame of an area up to date around a page that does not run the framework: after an event
 * it reads the frame again and exchanges the parts that events change. The page inside stays as it is, with what is
 * typed into it.
 */
import { PROFILE_PATH } from "~/lib/addresses";
import { type LiveConnection, liveBrowser, loadTabState, openLiveConnection, saveTabState } from "~/live/connection";

/** Waits after an event, in milliseconds, so that several events cause one request. */
const WAIT_MS = 300;

const { liveChannel: channel, liveSeq } = document.currentScript?.dataset ?? {};
if (channel) keepFresh(channel, Number(liveSeq));

function keepFresh(path: string, shownSeq: number) {
  const { seq, paused } = loadTabState(path, Date.now());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void readFrame().catch(() => undefined), WAIT_MS);
  };
  const connect = (after: number) =>
    openLiveConnection(
      liveBrowser(path),
      { after, paused },
      { onState: () => undefined, onPresence: () => undefined, onEvent: refresh, onReset: refresh },
    );
  let connection: LiveConnection = connect(Math.min(seq ?? Number.POSITIVE_INFINITY, shownSeq));
  const updateVisibility = () => (document.visibilityState === "hidden" ? connection.hide() : connection.wake());
  updateVisibility();
  document.addEventListener("visibilitychange", updateVisibility);
  window.addEventListener("online", updateVisibility);
  window.addEventListener("pagehide", () => {
    saveTabState(path, { seq: connection.lastSeq(), paused, at: Date.now() });
    connection.end();
  });
  // Back to a page that the browser had kept.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) connection = connect(connection.lastSeq());
  });
}

/** Exchanges the parts of the frame, except where the keyboard is: focus would be lost. */
async function readFrame() {
  // The profile itself: other personal pages show something once, such as new backup codes.
  const response = await fetch(PROFILE_PATH);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll<HTMLElement>("[data-live-part]")) {
    const next = page.querySelector(`[data-live-part="${part.dataset.livePart}"]`);
    if (!next || part.contains(document.activeElement)) continue;
    for (const field of next.querySelectorAll<HTMLInputElement>("input[name=return_to]")) {
      field.value = location.pathname + location.search;
    }
    // Parsed apart from the page, their contents are elements.
    for (const alternative of next.querySelectorAll("noscript")) alternative.remove();
    part.replaceChildren(...next.childNodes);
  }
}
