import { useFetchers, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { landing } from "./not-saved";

/** Marks what a list found, in words: the caption of a table, the title of an empty list. */
export const resultAttributes = { "data-result": "" } as const;

/** Delays the announcement of a slow page, in milliseconds; the progress bar has the same delay. */
const ANNOUNCE_DELAY_MS = 300;

/**
 * Announces pages of the router as a browser by itself does a new document: says that something is on its way, once
 * that takes longer than a moment, moves the focus to what has arrived, and has it announced.
 */
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
    else if (isFocusLost()) focusPart(hash);
  }, [key, pathname, search, hash]);

  const isSending = useFetchers().length > 0;
  const wasSending = useRef(isSending);
  useEffect(() => {
    // What was pressed may be gone with what it did.
    if (wasSending.current && !isSending && isFocusLost()) focusPart(landing.hash);
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

/** Tells whether the focused element is gone with the previous page. */
const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

/**
 * Focuses the part of another page that the address names, or its main part, unless something in it has the focus, such
 * as a summary of errors.
 */
function focusPage(hash: string) {
  // The menu of a phone, whose link was followed.
  document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
  const main = document.getElementById("main");
  const part = hash ? document.getElementById(hash.slice(1)) : null;
  // The framework has scrolled to it.
  if (part?.matches("[tabindex]")) return part.focus({ preventScroll: true });
  if (main && (isFocusLost() || !main.contains(document.activeElement))) main.focus({ preventScroll: true });
}

/** Focuses the row of the same page that the address names, or the list, or the main part. */
function focusPart(hash: string) {
  const row = hash ? document.getElementById(hash.slice(1)) : null;
  const list = document.querySelector<HTMLElement>("#main section[tabindex]:has(> table)");
  const place = list ?? document.getElementById("main");
  // A note is focused itself; in a row, what was just set comes before the link.
  const part = row?.matches("[tabindex]")
    ? row
    : (row?.querySelector<HTMLElement>("select") ?? row?.querySelector("a") ?? place);
  part?.focus({ preventScroll: true });
}
