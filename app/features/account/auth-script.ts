/*
 * The script of the pages of an account: progressive enhancement only. Everything works without it.
 */
import { emailHint } from "~/features/auth/model";
import { PASSWORD_UPDATE_PATH } from "~/lib/addresses";

const HINT_DELAY_MS = 500;

// Old recovery links carry their token in the URL fragment, which no server sees. They are not accepted here.
if (location.hash.includes("type=recovery")) {
  history.replaceState(null, "", location.pathname + location.search);
  location.replace(PASSWORD_UPDATE_PATH);
}

enhance();
// The form came back with its errors: its elements are new.
document.addEventListener("page-shown", enhance);

function enhance() {
  showHint(document.querySelector<HTMLElement>("[data-portal-hint]"));
  for (const box of document.querySelectorAll<HTMLElement>("[data-password]")) showPasswordButton(box);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-needs]")) waitForFields(form);
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-code]")) cleanCodeInput(input);
  for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) showCopyButton(button);
}

function showHint(line: HTMLElement | null) {
  const input = document.querySelector<HTMLInputElement>("#email");
  if (!line || !input) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      line.textContent = emailHint(input.value, line.dataset.portalHint ?? "") ?? "";
    }, HINT_DELAY_MS);
  });
}

/** Shows the button that makes a typed password visible; the password is hidden again before the form is sent. */
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

function waitForFields(form: HTMLFormElement) {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const fields = (form.dataset.needs ?? "").split(" ").map((name) => form.elements.namedItem(name) as HTMLInputElement);
  const length = Number(form.dataset.length ?? 0);
  const update = () => {
    const isReady = fields.every((field) => (length ? typedLength(field) === length : isFilled(field)));
    if (button) button.disabled = !isReady;
  };
  form.addEventListener("input", update);
  // A browser may have restored the fields. A password manager may fill them in at any time, and without an event.
  for (const event of ["pageshow", "pointermove", "focusin", "change"]) window.addEventListener(event, update);
  update();
}

function typedLength({ value }: HTMLInputElement): number {
  return value.replace(/\s/g, "").length;
}

/** Tells whether a field is filled in. Browsers hide what they have filled in themselves until the page is used. */
function isFilled(field: HTMLInputElement): boolean {
  return field.value !== "" || field.matches(":autofill");
}

/** Removes spaces and hyphens from pasted codes, and all but digits from numeric ones. */
function cleanCodeInput(input: HTMLInputElement) {
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text").replace(/[\s-]/g, "") ?? "";
    event.preventDefault();
    input.setRangeText(text.slice(0, input.maxLength), 0, input.value.length, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  input.addEventListener("input", () => {
    if (input.inputMode === "numeric") input.value = input.value.replace(/[^0-9]/g, "");
  });
  if (input.dataset.code === "submits") submitWhenComplete(input);
}

/** Sends the form with the last digit of a code, once per code and not while the form is being sent. */
function submitWhenComplete(input: HTMLInputElement) {
  let sent = "";
  input.addEventListener("input", () => {
    const { form, value } = input;
    if (!form || form.ariaBusy || value.length !== input.maxLength || value === sent) return;
    sent = value;
    form.requestSubmit(form.querySelector<HTMLButtonElement>("button[type=submit]"));
  });
}

function showCopyButton(button: HTMLElement) {
  const status = document.createElement("span");
  status.role = "status";
  button.addEventListener("click", async () => {
    const rows = document.querySelectorAll(`#${button.dataset.copy} li`);
    await navigator.clipboard.writeText([...rows].map((row) => row.textContent).join("\n"));
    button.textContent = "Copied";
    status.textContent = "Copied to clipboard";
  });
  button.insertAdjacentElement("afterend", status);
  button.hidden = false;
}
