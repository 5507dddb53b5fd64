/** Sets how long nobody must have typed before the text is kept, in milliseconds. */
const PAUSE = 4_000;

/**
 * Keeps what was typed in the form around `mark`, by the intent that it names: after a pause, or when the form is left
 * before that. What was sent since is not kept. Files are left out; what fails is tried again after the next letter.
 */
export function keepDraft(mark: HTMLElement): () => void {
  const form = mark.closest("form");
  if (!form) return () => {};
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const keep = (options?: RequestInit) => {
    stop();
    const body = new FormData(form);
    body.delete("files");
    body.set("intent", mark.dataset.intent ?? "");
    fetch(form.action, { method: "POST", body, redirect: "manual", ...options }).catch(() => {});
  };
  const wait = () => {
    stop();
    timer = window.setTimeout(() => keep(), PAUSE);
  };
  // The page may be gone before the server has answered.
  const leave = () => {
    if (timer) keep({ keepalive: true });
  };
  form.addEventListener("input", wait);
  form.addEventListener("submit", stop);
  window.addEventListener("pagehide", leave);
  return () => {
    leave();
    form.removeEventListener("input", wait);
    form.removeEventListener("submit", stop);
    window.removeEventListener("pagehide", leave);
  };
}
