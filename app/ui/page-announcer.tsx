import { useFetchers, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { Flash } from "./flash";
import { landing } from "./not-saved";

export const resultAttributes = { "data-result": "" } as const;

export const sentAttributes = { "data-sent": "" } as const;

/** Delays the announcement of a slow page, in milliseconds; the progress bar has the same delay. */
const ANNOUNCE_DELAY_MS = 300;

/** As a browser does for documents: says that something is on its way, moves the focus to it, has it announced. */
export function PageAnnouncer() {
  const { key, pathname, search, hash } = useLocation();
  const isNavigating = useNavigation().state !== "idle";
  const [announcement, setAnnouncement] = useState({ key: "", text: "" });
  const last = useRef({ key, pathname, search });

  useEffect(() => {
    if (!isNavigating) return;
    const timer = setTimeout(() => setAnnouncement({ key: "", text: "Loading" }), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isNavigating]);
  useEffect(() => {
    const before = last.current;
    last.current = { key, pathname, search };
    if (before.key === key) return;
    const isOther = before.pathname !== pathname;
    const result = isOther ? null : document.querySelector("#main [data-result]");
    // A page that answers a form at its own address has its message announced.
    const isAnnounced = isOther || before.search !== search;
    setAnnouncement({ key, text: isAnnounced ? (result?.textContent ?? document.title) : "" });
    if (isOther) focusPage(hash);
    else focusPart(hash);
  }, [key, pathname, search, hash]);

  const isSending = useFetchers().length > 0;
  const wasSending = useRef(isSending);
  useEffect(() => {
    // What was pressed may be gone with what it did.
    if (wasSending.current && !isSending) focusPart(landing.hash);
    if (!isSending) landing.hash = "";
    wasSending.current = isSending;
  }, [isSending]);

  return (
    <>
      {isNavigating ? (
        <div
          className="fixed inset-x-0 top-0 z-7 h-[3px] origin-left animate-progress bg-brand motion-reduce:animate-progress-still"
          data-route-progress=""
          aria-hidden="true"
        />
      ) : null}
      <p className="sr-only" role="status">
        <span key={announcement.key}>{announcement.text}</span>
      </p>
    </>
  );
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

/** Unless something in the page has the focus, such as a summary of errors. */
function focusPage(hash: string) {
  // The menu of a phone, whose link was followed.
  document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
  const main = document.getElementById("main");
  const part = hash ? document.getElementById(hash.slice(1)) : null;
  // The framework has scrolled to it.
  if (part?.matches("[tabindex]")) return part.focus({ preventScroll: true });
  if (main && (isFocusLost() || !main.contains(document.activeElement))) main.focus({ preventScroll: true });
}

/** If what had the focus is gone, it goes to the row that the address names, the list, or the main part. */
function focusPart(hash: string) {
  const part = hash ? document.getElementById(hash.slice(1)) : null;
  if (part?.matches("[tabindex]")) {
    // Whoever writes in it already stays there.
    if (part !== document.activeElement && part.contains(document.activeElement)) return;
    part.focus({ preventScroll: true });
    // The message of a form sticks where the page is (list.css), and would lead away from there.
    if (part.id === "result") return;
    // The line below a form says of a message that it was sent. It stays a while, and leads away from any other part.
    const said = part.matches("article") ? document.querySelectorAll("[data-sent]") : [];
    for (const seen of [part, ...said]) seen.scrollIntoView({ block: "nearest", behavior: "instant" });
    return;
  }
  if (!isFocusLost()) return;
  const list = document.querySelector<HTMLElement>("#main section[tabindex]:has(> table)");
  // In a row, what was just set comes before the link.
  const place = part?.querySelector<HTMLElement>("select") ?? part?.querySelector("a");
  (place ?? list ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

/**
 * Until the next navigation or form: what came with the document, then what a form has left in `landing`. What a page
 * reads again because of a colleague's change has no message, and takes none away.
 */
export function useLastingFlash(ofDocument: Flash | null): Flash | null {
  const { key } = useLocation();
  const fetchers = useFetchers();
  const isBusy = useNavigation().state !== "idle" || fetchers.some(({ state }) => state !== "idle");
  const isSending = fetchers.some(({ state }) => state === "submitting");
  const [shown, setShown] = useState({ key, flash: ofDocument });
  useEffect(() => {
    if (isBusy || !landing.flash) return;
    setShown({ key, flash: landing.flash });
    landing.flash = null;
  });
  if (!isSending && key === shown.key) return shown.flash;
  if (shown.flash) setShown({ key, flash: null });
  return null;
}
