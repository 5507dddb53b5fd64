const LIST = "offered-names";
const SHOWN = 6;

/** An "@" outside a word, and what of a name follows it up to the caret. */
const ASKED = /(?:^|[^\p{L}\p{M}\p{N}._-])@([\p{L}\p{M}][\p{L}\p{M}' -]{0,30})?$/u;

/** Those to whom the ticket can be assigned. */
const namesOnPage = () =>
  [...document.querySelectorAll<HTMLOptionElement>('select[name="assignee_id"] option')]
    .filter(({ value }) => value !== "")
    .map(({ label }) => label);

/**
 * Offers the names of colleagues below the text area of the form around while "@" is typed. The focus stays in the
 * text: arrows choose, Enter writes the name, Escape closes.
 */
export function offerNames(place: HTMLElement): () => void {
  const form = place.closest("form");
  const area = form?.querySelector<HTMLTextAreaElement>("textarea[name=body]");
  if (!area) return () => {};
  const listening = new AbortController();
  const { signal } = listening;
  let found: string[] = [];
  let typed = "";
  let active = 0;

  const close = () => {
    found = [];
    place.replaceChildren();
    place.hidden = true;
    for (const name of ["aria-controls", "aria-autocomplete", "aria-activedescendant"]) area.removeAttribute(name);
  };

  const show = () => {
    if (found.length === 0) return close();
    place.hidden = false;
    place.replaceChildren(
      ...found.map((name, index) => {
        const option = document.createElement("div");
        option.id = `${LIST}-${index}`;
        option.className = "cursor-pointer px-3 py-[0.4rem] aria-selected:bg-brand-tint max-md:py-[0.7rem]";
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", String(index === active));
        option.textContent = name;
        option.addEventListener("pointerdown", (event) => event.preventDefault());
        option.addEventListener("click", () => write(name));
        return option;
      }),
    );
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("aria-controls", LIST);
    area.setAttribute("aria-activedescendant", `${LIST}-${active}`);
  };

  const write = (name: string) => {
    const { selectionStart: caret } = area;
    area.setRangeText(`${name} `, caret - typed.length, caret, "end");
    close();
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const match = () => {
    const asked = ASKED.exec(area.value.slice(0, area.selectionStart));
    typed = asked?.[1] ?? "";
    const wanted = typed.toLowerCase();
    const begins = (name: string) => name.toLowerCase().startsWith(wanted) && name.toLowerCase() !== wanted.trim();
    found = asked ? namesOnPage().filter(begins).slice(0, SHOWN) : [];
    active = 0;
    show();
  };

  const press = (event: KeyboardEvent) => {
    if (found.length === 0 || event.isComposing || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      active = (active + step + found.length) % found.length;
      show();
    } else if (event.key === "Enter") write(found[active] ?? "");
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  area.addEventListener("input", match, { signal });
  area.addEventListener("keydown", press, { signal });
  area.addEventListener("blur", close, { signal });
  return () => listening.abort();
}
