import { type Instant, minutes, seconds } from "~/lib/time";
import { presence } from "~/live/presence";
import type { HereFrame, PresenceFrame } from "~/live/protocol";

/** Limits how long after the last letter somebody counts as writing. */
const WRITING = minutes(1);
/** Sets after how long without any use of the page nobody counts as looking at it. */
const UNUSED = minutes(5);
const PRESENCE_INTERVAL = seconds(5);

const USES = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "focus"];

/**
 * Tells the hub that this page shows the ticket named by `line`, while it is on the screen and used, and writes into
 * the line who else of the staff has it open. What was typed is never sent.
 */
export function watchPresence(line: HTMLElement): () => void {
  const ticketId = line.dataset.ticket ?? null;
  let usedAt: Instant = Date.now();
  let wroteAt: Instant = 0;
  let sent = "";

  const sendPresence = () => {
    const now = Date.now();
    const isHere = document.visibilityState === "visible" && now - usedAt < UNUSED;
    // Whoever is not there is told of nobody either, so that what is shown would grow old.
    if (!isHere) line.textContent = "";
    const writing = isHere && now - wroteAt < WRITING;
    const frame = JSON.stringify({
      type: "here",
      ticketId: isHere ? ticketId : null,
      writing,
    } satisfies HereFrame);
    if (frame === sent) return;
    sent = frame;
    presence.send(frame);
  };
  const use = () => {
    const wasUnused = Date.now() - usedAt >= UNUSED;
    usedAt = Date.now();
    if (wasUnused) sendPresence();
  };
  const write = ({ target }: Event) => {
    if (!(target instanceof HTMLTextAreaElement) || !target.form?.closest("#reply")) return;
    wroteAt = target.value.trim() ? Date.now() : 0;
    sendPresence();
  };
  const submit = ({ target }: Event) => {
    if (!(target instanceof HTMLFormElement) || !target.closest("#reply")) return;
    wroteAt = 0;
    sendPresence();
  };

  presence.onState = () => {
    sent = line.textContent = "";
    sendPresence();
  };
  presence.onPeople = ({ id, people }) => {
    if (id === ticketId) line.textContent = presenceInWords(people);
  };
  const listening = new AbortController();
  const { signal } = listening;
  for (const name of USES) window.addEventListener(name, use, { passive: true, capture: true, signal });
  document.addEventListener("visibilitychange", sendPresence, { signal });
  document.addEventListener("input", write, { signal });
  document.addEventListener("submit", submit, { signal });
  const timer = setInterval(sendPresence, PRESENCE_INTERVAL);
  sendPresence();
  return () => {
    clearInterval(timer);
    listening.abort();
    presence.onState = presence.onPeople = () => {};
    presence.send(JSON.stringify({ type: "here", ticketId: null, writing: false } satisfies HereFrame));
  };
}

const NAMES = new Intl.ListFormat("en");

/** "Sam Ortega is writing a reply. Jordan Vale is looking at this ticket." */
export const presenceInWords = (people: PresenceFrame["people"]): string =>
  [
    sentence(
      people.filter(({ writing }) => writing),
      "writing a reply",
    ),
    sentence(
      people.filter(({ writing }) => !writing),
      "looking at this ticket",
    ),
  ]
    .filter(Boolean)
    .join(" ");

const sentence = (people: PresenceFrame["people"], what: string): string =>
  people.length === 0
    ? ""
    : `${NAMES.format(people.map(({ name }) => name))} ${people.length === 1 ? "is" : "are"} ${what}.`;
