import { PREFERENCES_PATH } from "~/features/notifications/model";
import { openFinder } from "./finder.client";

/** What is remembered in the browser: the row that was opened or taken last. */
const OPENED = "opened-row";

const KEYS = [
  ["j", "Next row, next ticket"],
  ["k", "Row or ticket before"],
  ["o", "Open the row"],
  ["x", "Select the row"],
  ["a", "Assign to me"],
  ["r", "Reply"],
  ["n", "Internal note"],
  ["/", "Search"],
  ["Ctrl K or ⌘ K", "Find tickets, people, organizations and pages"],
  ["Ctrl Enter or ⌘ Enter", "Send"],
  ["Ctrl Shift Enter or ⌘ ⇧ Enter", "Send and go to the next ticket"],
  ["?", "This list"],
];

const isOff = () => document.querySelector('[data-shortcuts="off"]') !== null;

/** Presses what says in `aria-keyshortcuts` that a key presses it. Returns how to stop. */
export function listenToShortcuts(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("keydown", (event) => press(event), { signal });
  document.addEventListener(
    "click",
    ({ target }) => {
      const element = target as Element;
      if (element.closest("[data-shows-shortcuts]")) showShortcuts();
      const row = element.closest(".list-rows tr");
      if (row && element.closest("th")) sessionStorage.setItem(OPENED, row.id);
    },
    { signal },
  );
  return () => listening.abort();
}

function press(event: KeyboardEvent): void {
  const { key, altKey, shiftKey, isComposing, defaultPrevented } = event;
  if (isComposing || defaultPrevented || altKey || isOff() || document.querySelector("dialog[open]")) return;
  const target = event.target as HTMLElement;
  const isDone =
    event.ctrlKey || event.metaKey
      ? pressWithControl(key.toLowerCase(), shiftKey, target)
      : !isTyping(target) && !document.querySelector(":popover-open") && pressAlone(key, target);
  if (isDone) event.preventDefault();
}

function pressWithControl(key: string, withShift: boolean, target: HTMLElement): boolean {
  if (key === "k") {
    openFinder();
    return true;
  }
  if (key !== "enter") return false;
  const form = target.closest("form");
  const button = form?.querySelector<HTMLElement>(named(withShift ? "Control+Shift+Enter" : "Control+Enter"));
  button?.click();
  return button !== null && button !== undefined;
}

const named = (key: string) => `[aria-keyshortcuts~="${key}"]`;

const TYPED = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])';
const isTyping = (target: HTMLElement) => target.matches(TYPED);

function pressAlone(key: string, target: HTMLElement): boolean {
  if (key === "?") {
    showShortcuts();
    return true;
  }
  if (key === "/") {
    const field = shown("main [type=search]");
    if (field) field.focus();
    else openFinder();
    return true;
  }
  if (key.length !== 1 || !/[a-z]/.test(key)) return false;
  return pressInList(key, target) || pressOnPage(key);
}

const shown = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());

function pressInList(key: string, target: HTMLElement): boolean {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>(".list-rows tr")];
  const focused = rows.indexOf(target.closest("tr") as HTMLTableRowElement);
  const step = { j: 1, k: -1 }[key];
  if (step && rows.length > 0) {
    const from = focused >= 0 ? focused : rows.findIndex(({ id }) => id === sessionStorage.getItem(OPENED));
    const to = Math.min(Math.max(from + step, 0), rows.length - 1);
    rows[to]?.querySelector<HTMLElement>("th > a")?.focus();
    return true;
  }
  const row = rows[focused];
  if (!row) return false;
  const box = row.querySelector<HTMLInputElement>('[type="checkbox"]');
  if (key === "o") row.querySelector<HTMLElement>("th > a")?.click();
  else if (key === "x") box?.click();
  else if (key === "a" && box) {
    sessionStorage.setItem(OPENED, row.id);
    // Those that are selected; without a selection the row.
    if (!document.querySelector(".list-rows tr > td > :checked")) box.click();
    return pressOnPage(key);
  } else return false;
  return true;
}

function pressOnPage(key: string): boolean {
  const element = shown(`main ${named(key)}`);
  if (!element) return false;
  element.click();
  const part = element.getAttribute("href");
  // What is written in the part of the page that the link leads to.
  if (part?.startsWith("#")) requestAnimationFrame(() => shown(`${part} textarea`)?.focus());
  return true;
}

function showShortcuts(): void {
  const dialog = document.createElement("dialog");
  dialog.className =
    "m-auto max-h-[90svh] w-[min(32rem,calc(100%-2rem))] overflow-y-auto rounded-3 border border-line-strong bg-raised p-5 text-ink";
  dialog.setAttribute("aria-label", "Keyboard shortcuts");
  const title = document.createElement("h2");
  title.textContent = "Keyboard shortcuts";
  title.className = "text-xl";
  const list = document.createElement("dl");
  list.className = "my-3 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm max-[30rem]:grid-cols-1";
  for (const [key = "", what = ""] of KEYS) {
    const term = document.createElement("dt");
    const keys = document.createElement("kbd");
    keys.textContent = key;
    keys.className = "font-mono font-semibold";
    term.replaceChildren(keys);
    const detail = document.createElement("dd");
    detail.textContent = what;
    list.appendChild(term);
    list.appendChild(detail);
  }
  const state = document.createElement("p");
  state.className = "mb-3 text-sm";
  const change = document.createElement("a");
  change.href = `${PREFERENCES_PATH}#shortcuts`;
  change.textContent = "Switch them in Notification settings";
  state.replaceChildren(`Shortcuts are ${isOff() ? "off" : "on"}. `, change);
  const close = document.createElement("button");
  close.textContent = "Close";
  close.className = "min-h-tap rounded-2 border border-control px-4 font-semibold";
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(title, list, state, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.appendChild(dialog);
  dialog.showModal();
}
