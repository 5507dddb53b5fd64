/*
 * The script of the pages of an account: comfort only, everything works without it. Loaded with `defer`.
 */
import { hint } from "./model";

/** How long the address must stand still before the line under it speaks. */
const QUIET_MS = 500;

// A link of an older kind carries its token behind the hash, where no server sees it. It has no power here.
if (location.hash.includes("type=recovery")) {
  history.replaceState(null, "", location.pathname + location.search);
  location.replace("/login?mode=update");
}

showHint(document.querySelector<HTMLElement>("[data-portal-hint]"));
for (const box of document.querySelectorAll<HTMLElement>("[data-password]")) showPasswordButton(box);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-needs]")) waitForFields(form);
for (const input of document.querySelectorAll<HTMLInputElement>("input[data-code]")) easeCode(input);
for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) showCopyButton(button);

/** Says which area the address leads to. Computed here from its domain; nothing is asked of anyone. */
function showHint(line: HTMLElement | null) {
  const input = document.querySelector<HTMLInputElement>("#email");
  if (!line || !input) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      line.textContent = hint(input.value, line.dataset.portalHint ?? "") ?? "";
    }, QUIET_MS);
  });
}

/** A typed password can be looked at; it is hidden again before it is sent. */
function showPasswordButton(box: HTMLElement) {
  const input = box.querySelector("input");
  const button = box.querySelector("button");
  if (!input || !button) return;
  const show = (shown: boolean) => {
    input.type = shown ? "text" : "password";
    button.textContent = shown ? "Hide" : "Show";
  };
  show(false);
  button.addEventListener("click", () => show(input.type === "password"));
  input.form?.addEventListener("submit", () => show(false));
  window.addEventListener("pageshow", () => show(false));
  button.hidden = false;
}

/** Keeps the button off until everything it needs is there. */
function waitForFields(form: HTMLFormElement) {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const fields = (form.dataset.needs ?? "").split(" ").map((name) => form.elements.namedItem(name) as HTMLInputElement);
  const length = Number(form.dataset.length ?? 0);
  const update = () => {
    const isReady = fields.every(({ value }) => (length ? value.replace(/\s/g, "").length === length : value !== ""));
    if (button) button.disabled = !isReady;
  };
  form.addEventListener("input", update);
  // A browser may have put back what was typed, or a password manager filled it in.
  window.addEventListener("pageshow", update);
  update();
}

/** Codes may be pasted with spaces, and what was said about the last one is no longer true of the next. */
function easeCode(input: HTMLInputElement) {
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text").replace(/[\s-]/g, "") ?? "";
    event.preventDefault();
    input.setRangeText(text.slice(0, input.maxLength), 0, input.value.length, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  input.addEventListener("input", () => {
    if (input.inputMode === "numeric") input.value = input.value.replace(/[^0-9]/g, "");
    input.ariaInvalid = null;
    document.getElementById(`${input.id}-error`)?.remove();
  });
}

/** Puts the codes on the clipboard, and says so where a screen reader hears it. */
function showCopyButton(button: HTMLElement) {
  const said = document.createElement("span");
  said.role = "status";
  button.addEventListener("click", async () => {
    const rows = document.querySelectorAll(`#${button.dataset.copy} li`);
    await navigator.clipboard.writeText([...rows].map((row) => row.textContent).join("\n"));
    button.textContent = "Copied";
    said.textContent = "Copied to clipboard";
  });
  button.insertAdjacentElement("afterend", said);
  button.hidden = false;
}
