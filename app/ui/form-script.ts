/**
 * For form pages without the framework: busy label, one post for two presses, a page that stays when the form cannot
 * be sent, an error summary that can be heard, errors that go when corrected. Loaded with `defer`.
 */
import { NEXT_PAGE_HEADER, SCRIPTED_POST_HEADER } from "~/lib/scripted-post";

type Submitter = HTMLElement | null;

/** Limits what is sent of one file, in bytes: more than any form accepts. */
const FILE_MAX = 12 << 20;

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter;
  // Busy, not disabled: a disabled button would drop the focus.
  if (form.ariaBusy) return event.preventDefault();
  if (submitter?.dataset.pendingLabel) {
    form.ariaBusy = "true";
    submitter.ariaDisabled = "true";
    submitter.dataset.label = submitter.textContent ?? "";
    submitter.textContent = submitter.dataset.pendingLabel;
  }
  // A download stays with the browser.
  if (form.getAttribute("method") !== "post" || "native" in form.dataset) return;
  event.preventDefault();
  void send(form, submitter);
});

/** The page stays as it is until the answer is there, so that nothing typed is lost with the connection. */
async function send(form: HTMLFormElement, submitter: Submitter) {
  form.querySelector("[data-not-saved]")?.remove();
  const response = await post(form, submitter).catch(() => null);
  if (response?.type === "opaqueredirect") return sendByBrowser(form, submitter);
  const next = response?.headers.get(NEXT_PAGE_HEADER);
  if (next) return open(next);
  // The policy of this page does not know the styles of that one, not even while they are parsed; sheets made by a
  // script need no permission.
  const styles: string[] = [];
  const html = ((await response?.text().catch(() => "")) ?? "").replace(
    /<style[^>]*>(.*?)<\/style>/gs,
    (_, text: string) => {
      styles.push(text);
      return "";
    },
  );
  const page = new DOMParser().parseFromString(html, "text/html");
  // An outage that the form itself explains is an answer; an error page or a proxy's is none.
  if (response && (response.status < 500 || page.querySelector("main form"))) show(page, styles);
  else showNotSaved(form, submitter);
}

function post(form: HTMLFormElement, submitter: Submitter): Promise<Response> {
  const data = new FormData(form, submitter);
  // Of a file that no form takes its beginning is enough: the server answers with the form, and does not cut it off.
  for (const [name, value] of data) {
    if (value instanceof File && value.size > FILE_MAX) data.set(name, value.slice(0, FILE_MAX), value.name);
  }
  const body =
    form.getAttribute("enctype") === "multipart/form-data" ? data : new URLSearchParams(data as unknown as string[][]);
  // The attributes: a field may have the name of a property.
  return fetch(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", {
    method: "POST",
    headers: { [SCRIPTED_POST_HEADER]: "1" },
    redirect: "manual",
    body,
  });
}

function sendByBrowser(form: HTMLFormElement, submitter: Submitter) {
  rest();
  form.dataset.native = "";
  form.requestSubmit(submitter);
}

/** An address that differs from this one by its fragment only would not be loaded otherwise. */
function open(address: string) {
  const { pathname, search, hash } = new URL(address, location.href);
  if (pathname + search !== location.pathname + location.search) return location.assign(address);
  history.replaceState(null, "", pathname + search + hash);
  location.reload();
}

function show(page: Document, styles: readonly string[]) {
  for (const input of document.querySelectorAll<HTMLInputElement>("input[type=file]")) {
    const successor = page.getElementById(input.id) as HTMLInputElement | null;
    if (!successor || !input.files?.length) continue;
    successor.files = input.files;
    page.querySelector("[data-file-gone]")?.remove();
  }
  const sheets = styles.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  if (sheets.length > 0) {
    for (const style of document.querySelectorAll("style, link[rel=stylesheet]")) style.remove();
    document.adoptedStyleSheets = sheets;
  }
  document.title = page.title;
  document.body.replaceWith(page.body);
  scrollTo(0, 0);
  document.dispatchEvent(new Event("page-shown"));
  (window as { turnstile?: { render: (place: string) => void } }).turnstile?.render(".cf-turnstile");
  focusErrors();
}

function showNotSaved(form: HTMLFormElement, submitter: Submitter) {
  rest();
  const template = document.querySelector<HTMLTemplateElement>("[data-not-saved-template]");
  if (template) form.appendChild(template.content.cloneNode(true));
  form.querySelector("[data-retry]")?.addEventListener("click", () => form.requestSubmit(submitter));
}

function rest() {
  for (const form of document.querySelectorAll("form")) form.ariaBusy = null;
  for (const button of document.querySelectorAll<HTMLElement>("[data-label]")) {
    button.ariaDisabled = null;
    button.textContent = button.dataset.label ?? "";
    delete button.dataset.label;
  }
}

// Back to a page that the browser had kept: the form can be sent again.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) rest();
});

// A link of the summary leads to the control; its label must be seen too, and not end under the header.
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>("[data-error-summary] a");
  const control = link && document.getElementById(link.hash.slice(1));
  if (!control) return;
  event.preventDefault();
  (control.closest("[data-field]") ?? control).scrollIntoView();
  control.focus({ preventScroll: true });
});

// A field that is corrected stops complaining, as those of hydrated pages do (field.tsx). What is left of the summary
// is no alert any more: it is not to be read out while somebody types.
document.addEventListener("input", ({ target }) => {
  const control = target as HTMLInputElement;
  const error = control.id && document.getElementById(`${control.id}-error`);
  if (!error || control.form?.method !== "post" || !control.validity.valid || control.value.trim() === "") return;
  error.remove();
  control.removeAttribute("aria-invalid");
  const line = document.querySelector(`[data-error-summary] a[href="#${control.id}"]`)?.closest("li");
  const summary = line?.closest("[data-error-summary]");
  line?.remove();
  summary?.querySelector("[role=alert]")?.removeAttribute("role");
  if (!summary?.querySelector("li")) summary?.remove();
});

const focusErrors = () => document.querySelector<HTMLElement>("[data-error-summary]")?.focus();

focusErrors();
