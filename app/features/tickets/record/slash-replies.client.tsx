import { useEffect, useRef, useState } from "react";
import type { OfferedReply } from "~/features/canned-replies/queries.server";
import { cx } from "~/ui/cx";

const LIST = "slash-replies";
const optionId = (index: number) => `${LIST}-${index}`;

/**
 * Remembers an insertion that was asked for, until the text is there: the text area, what was typed to ask for it and
 * where, and how much follows it. One that failed can be sent again.
 */
type Insertion = { area: HTMLTextAreaElement; start: number; typed: string; behind: number; isSent: boolean };

/**
 * Offers saved replies below the text area of the form around while "/" is typed at the start of a line. The focus
 * stays in the text: arrows move, Enter inserts at the caret, Escape closes. The form itself asks the server for the
 * text.
 */
export function SlashReplies({ replies, isPending }: { replies: readonly OfferedReply[]; isPending: boolean }) {
  const mark = useRef<HTMLSpanElement>(null);
  const insertion = useRef<Insertion | null>(null);
  const dismissed = useRef<number | null>(null);
  const [asked, setAsked] = useState<SlashQuery | null>(null);
  const [active, setActive] = useState(0);
  const found = asked ? repliesFor(replies, asked.query) : [];
  const isOpen = found.length > 0;

  const formOf = () => mark.current?.closest("form");
  const areaOf = () => formOf()?.elements.namedItem("body") as HTMLTextAreaElement;

  const match = () => {
    const area = areaOf();
    const now = area.selectionStart === area.selectionEnd ? askedAt(area.value, area.selectionStart) : null;
    if (now?.start !== dismissed.current) dismissed.current = null;
    const next = dismissed.current === null ? now : null;
    if (next?.start === asked?.start && next?.query === asked?.query) return;
    setAsked(next);
    setActive(0);
  };

  const insert = (reply: OfferedReply | undefined) => {
    const form = formOf();
    if (!form || !asked || !reply || isPending) return;
    const area = areaOf();
    const typed = area.value.slice(asked.start, area.selectionStart);
    insertion.current = { area, start: asked.start, typed, behind: 0, isSent: false };
    const select = form.querySelector("select");
    if (select) select.value = reply.value;
    form.requestSubmit(form.querySelector<HTMLButtonElement>("button[value=insert]"));
    setAsked(null);
  };

  /** Leaves out the files, and what was typed to ask for a reply: also when the form is sent once more by "Retry". */
  const compose = ({ formData }: FormDataEvent) => {
    if (formData.get("intent") !== "insert") return;
    formData.delete("files");
    const { current: under } = insertion;
    if (!under) return;
    const { area, start, typed } = under;
    const before = area.value.slice(0, start);
    if (!area.value.startsWith(typed, start)) {
      insertion.current = null;
      return;
    }
    const after = area.value.slice(start + typed.length);
    under.behind = after.length;
    area.readOnly = true;
    formData.set("body", before + after);
    // The server counts in the form in which it keeps text.
    formData.set("caret", String(before.normalize().length));
  };

  const press = (event: KeyboardEvent) => {
    if (!isOpen || event.isComposing || event.target !== areaOf()) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((active + step + found.length) % found.length);
    else if (event.key === "Enter") insert(found[active]);
    else if (event.key === "Escape") {
      dismissed.current = asked?.start ?? null;
      setAsked(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const latest = useRef({ match, press, compose });
  latest.current = { match, press, compose };
  useEffect(() => {
    const form = mark.current?.closest("form");
    if (!form) return;
    const listening = new AbortController();
    const { signal } = listening;
    const refresh = ({ target }: Event) => {
      if (target === form.elements.namedItem("body")) latest.current.match();
    };
    for (const name of ["input", "click", "keyup"]) form.addEventListener(name, refresh, { signal });
    form.addEventListener("focusout", () => setAsked(null), { signal });
    form.addEventListener("keydown", (event) => latest.current.press(event), { signal });
    form.addEventListener("formdata", (event) => latest.current.compose(event), { signal });
    return () => listening.abort();
  }, []);

  // The text area is a new element once the text is there.
  useEffect(() => {
    const area = areaOf();
    name(area, isOpen ? optionId(active) : null);
    if (isOpen) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
    const { current: under } = insertion;
    if (!under) return;
    if (area !== under.area) {
      insertion.current = null;
      area.focus();
      area.setSelectionRange(area.value.length - under.behind, area.value.length - under.behind);
    } else if (isPending) under.isSent = true;
    else if (under.isSent) {
      under.isSent = false;
      area.readOnly = false;
    }
  });

  return (
    <>
      <span ref={mark} hidden />
      {isOpen ? (
        <div
          className="floating absolute inset-x-0 top-full z-3 max-h-64 max-w-120 overflow-y-auto rounded-3 border border-line-strong bg-raised py-1"
          id={LIST}
          role="listbox"
          aria-label="Saved replies"
        >
          {found.map(({ value, label }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text area, which keeps the focus.
            // biome-ignore lint/a11y/useFocusableInteractive: the text area names the one that is meant.
            <div
              key={value}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              className={cx("cursor-pointer px-3 py-[0.4rem] max-md:py-[0.7rem]", index === active && "bg-brand-tint")}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => insert(found[index])}
            >
              {label}
            </div>
          ))}
        </div>
      ) : null}
    </>
  );
}

function name(area: HTMLTextAreaElement, option: string | null): void {
  const attributes = {
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": LIST,
    "aria-activedescendant": option,
  };
  for (const [attribute, value] of Object.entries(attributes)) {
    if (option && value) area.setAttribute(attribute, value);
    else area.removeAttribute(attribute);
  }
}

export type SlashQuery = { start: number; query: string };

const LONGEST_QUERY = 40;

/** Finds a slash at the start of the line of the caret. Null: there is none, or what follows it is no name. */
export function askedAt(text: string, caret: number): SlashQuery | null {
  const start = text.lastIndexOf("\n", caret - 1) + 1;
  const [slash, ...query] = text.slice(start, caret);
  if (slash !== "/" || query.length > LONGEST_QUERY || query[0] === " ") return null;
  return { start, query: query.join("") };
}

export function repliesFor(replies: readonly OfferedReply[], query: string): OfferedReply[] {
  const words = query.toLowerCase().split(/\s+/);
  return replies.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
