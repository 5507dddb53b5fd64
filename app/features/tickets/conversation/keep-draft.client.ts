/** Sets how long nobody must have typed before the text is kept, in milliseconds. */
const PAUSE = 4_000;

/**
 * Keeps what was typed in the form around `mark`, by the intent that it names. Files are left out; what fails is tried
 * again after the next letter.
 */
export function keepDraft(mark: HTMLElement): () => void {
  const form = mark.closest("form");
  if (!form) return () => {};
  let timer = 0;
  const stop = () => clearTimeout(timer);
  const keep = () => {
    const body = new FormData(form);
    body.delete("files");
    body.set("intent", mark.dataset.intent ?? "");
    fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
  };
  const wait = () => {
    stop();
    timer = window.setTimeout(keep, PAUSE);
  };
  form.addEventListener("input", wait);
  form.addEventListener("submit", stop);
  return () => {
    stop();
    form.removeEventListener("input", wait);
    form.removeEventListener("submit", stop);
  };
}
