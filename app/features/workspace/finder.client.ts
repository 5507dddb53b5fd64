import { type HitGroup, STAFF_SEARCH_PATH } from "~/features/search/model";
import { STAFF_NEW_TICKET_PATH } from "~/lib/addresses";

type Item = { group: string; label: string; detail: string; go: () => void };

const WAIT_MS = 200;
const OF_A_GROUP = 3;
const SHOWN = 8;

const leadTo = (path: string) => () => location.assign(path);

/** The pages of the navigation, and what can be pressed on this page. */
function itemsOfPage(): Item[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("#admin-menu > a")];
  const controls = [...document.querySelectorAll<HTMLElement>("main [aria-keyshortcuts]")];
  return [
    { group: "Actions", label: "New Ticket", detail: "", go: leadTo(STAFF_NEW_TICKET_PATH) },
    ...controls
      .filter((control) => control.checkVisibility())
      .map((control) => ({
        group: "Actions",
        label: control.textContent?.trim() ?? "",
        detail: "on this page",
        go: () => control.click(),
      })),
    ...links.map((link) => ({
      group: "Pages",
      label: link.firstChild?.textContent ?? "",
      detail: "",
      go: () => link.click(),
    })),
  ];
}

async function search(text: string, signal: AbortSignal): Promise<Item[] | null> {
  const params = new URLSearchParams({ q: text, _data: "routes/_admin.admin.search" });
  const found = await fetch(`${STAFF_SEARCH_PATH}?${params}`, { signal });
  const leadsTo = found.headers.get("X-Remix-Redirect");
  if (leadsTo) return [{ group: "Tickets", label: text.toUpperCase(), detail: "", go: leadTo(leadsTo) }];
  if (!found.ok) return null;
  const { groups } = (await found.json()) as { groups: HitGroup[] | null };
  return (groups ?? []).flatMap(({ title, hits }) =>
    hits.slice(0, OF_A_GROUP).map((hit) => ({
      group: title,
      label: [hit.reference, hit.title.map((piece) => piece.text).join("")].filter(Boolean).join(" "),
      detail: hit.details.join(" · "),
      go: leadTo(hit.to),
    })),
  );
}

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name);
  made.className = className;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
};

/** One field for tickets, people, organizations, pages and actions: arrows choose, Enter opens, Escape closes. */
export function openFinder(): void {
  const dialog = element(
    "dialog",
    "mx-auto mt-[10svh] w-[min(40rem,calc(100%-2rem))] rounded-3 border border-line-strong bg-raised p-3 text-ink",
    { "aria-label": "Find" },
  );
  const input = element("input", "h-tap w-full rounded-2 border border-control bg-sheet px-3", {
    type: "text",
    role: "combobox",
    "aria-label": "Find tickets, people, organizations and pages",
    "aria-autocomplete": "list",
    "aria-expanded": "true",
    "aria-controls": "found",
    placeholder: "Ticket, person, organization or page",
  });
  const list = element("div", "mt-2 max-h-[60svh] overflow-y-auto", {
    id: "found",
    role: "listbox",
    "aria-label": "Found",
  });
  const status = element("p", "px-3 py-1 text-ink-2 text-sm", { role: "status" });
  const own = itemsOfPage();
  let items: Item[] = [];
  let active = 0;
  let running = new AbortController();
  let timer = 0;

  const choose = (index: number) => {
    active = index;
    [...list.querySelectorAll('[role="option"]')].forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === active));
      option.classList.toggle("bg-brand-tint", at === active);
      if (at === active) option.scrollIntoView({ block: "nearest" });
    });
    if (items.length > 0) input.setAttribute("aria-activedescendant", `found-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };

  const go = (item: Item | undefined) => {
    if (!item) return;
    dialog.close();
    item.go();
  };

  const show = (found: Item[], words: string) => {
    items = found.slice(0, SHOWN);
    list.replaceChildren(
      ...items.map((item, index) => {
        const option = element("div", "flex cursor-pointer flex-wrap gap-x-3 rounded-2 px-3 py-2", {
          role: "option",
          id: `found-${index}`,
        });
        const label = element("span", "wrap-anywhere font-semibold");
        label.textContent = item.label;
        const detail = element("span", "wrap-anywhere text-ink-2 text-sm");
        detail.textContent = [item.detail, item.group].filter(Boolean).join(" · ");
        option.replaceChildren(label, detail);
        option.addEventListener("click", () => go(item));
        return option;
      }),
    );
    status.textContent = words;
    choose(0);
  };

  const refresh = () => {
    const text = input.value.trim();
    const matching = own.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    if (text.length < 2) return show(matching, "");
    timer = window.setTimeout(() => {
      search(text, signal).then(
        (found) => {
          if (signal.aborted) return;
          // What is found leaves room for the pages, which stand last.
          const all = [...(found ?? []).slice(0, SHOWN - Math.min(matching.length, OF_A_GROUP)), ...matching];
          show(all, found ? (all.length > 0 ? "" : "Nothing found.") : "Could not search. Try again in a moment.");
        },
        () => signal.aborted || show(matching, "Could not search. Try again in a moment."),
      );
    }, WAIT_MS);
  };

  input.addEventListener("input", refresh);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    if (step && items.length > 0) choose((active + step + items.length) % items.length);
    else if (!step) go(items[active]);
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    running.abort();
    dialog.remove();
  });
  dialog.replaceChildren(input, status, list);
  document.body.appendChild(dialog);
  dialog.showModal();
  input.focus();
  refresh();
}
