import { type Instant, minutes } from "./time";

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ł/g, "l")
    .replace(/ø/g, "o")
    .replace(/\s+/g, " ")
    .trim();
}

export const asShown = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\p{Cf}+/gu, "")
    .replace(/\s+/g, " ")
    .trim();

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

const BLANKS = /[\u115f\u1160\u2800\u3164\uffa0]/g;

/** Returns a name as it is stored: without marks that would turn the sentence around it. Nothing if nobody sees it. */
export function visibleName(typed: string): string {
  const name = typed.replace(TURNS, "").trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name.replace(BLANKS, "")) ? name : "";
}

/** Formats a count: `plural(1, "ticket")` → "1 ticket", `plural(12000, "reply", "replies")` → "12,000 replies". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

const HTML_ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character);

export function waitInWords(until: Instant, now: Instant): string {
  const whole = Math.max(1, Math.ceil((until - now) / minutes(1)));
  return whole < 100 ? plural(whole, "minute") : plural(Math.ceil(whole / 60), "hour");
}

export const tooManyAttempts = (retryAt: Instant, now: Instant): string =>
  `Too many attempts. Try again in ${waitInWords(retryAt, now)}.`;

/** Formats a file size: "812 bytes", "34 KB", "4.8 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  const kilobytes = bytes / 1024;
  if (kilobytes < 1024) return `${Math.round(kilobytes)} KB`;
  const megabytes = kilobytes / 1024;
  return megabytes < 1024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

export function excerpt(text: string, max: number): string {
  // The common case first, and of a long text only its beginning: a character has at most two units.
  if (text.length <= max) return text;
  const characters = [...text.slice(0, 2 * max + 2)];
  if (characters.length <= max) return text;
  const cut = characters.slice(0, max - 1).join("");
  const space = cut.search(/\s\S{0,30}$/);
  return `${(space > 0 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

export const snippetOf = (text: string | null, max: number): string | null =>
  excerpt(text ?? "", max)
    .replace(/\s+/g, " ")
    .trim() || null;

export const FORMER_MEMBER = "Former member";

/** "Dr. Ines Valverde" → "Ines". What stands for an erased name stays whole. */
export function firstNameOf(name: string): string {
  const whole = name.trim();
  return whole === FORMER_MEMBER ? whole : (whole.split(/\s+/).find((word) => !word.endsWith(".")) ?? whole);
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

/** "Sam, Jordan and Lee". */
export const nameList = /* @__PURE__ */ new Intl.ListFormat("en-GB");
