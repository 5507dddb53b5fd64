/*
 * The script of plain form pages that do not run the framework. It adds what a script must add: the busy label, one
 * post for two presses, and an error summary that can be heard and followed. Loaded with `defer`.
 */

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const button = event.submitter;
  // Busy, not disabled: a disabled button would drop the focus.
  if (form.ariaBusy) event.preventDefault();
  else if (button?.dataset.pendingLabel) {
    form.ariaBusy = "true";
    button.ariaDisabled = "true";
    button.dataset.label = button.textContent ?? "";
    button.textContent = button.dataset.pendingLabel;
  }
});

// Back to a page that the browser had kept: the form can be sent again.
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  for (const form of document.querySelectorAll("form")) form.ariaBusy = null;
  for (const button of document.querySelectorAll<HTMLElement>("[data-label]")) {
    button.ariaDisabled = null;
    button.textContent = button.dataset.label ?? "";
    delete button.dataset.label;
  }
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

document.querySelector<HTMLElement>("[data-error-summary]")?.focus();
