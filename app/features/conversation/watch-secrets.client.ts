import { SECRET_SIGNS } from "./labels";
import { secretIn } from "./secrets";

/** Writes into `line` what the texts of its form seem to hold that does not belong into them. */
export function watchSecrets(line: HTMLElement): () => void {
  const form = line.closest("form");
  if (!form) return () => {};
  const check = () => {
    const typed = [
      ...form.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>("textarea, [name=title], [name=impact]"),
    ];
    const secret = secretIn(typed.map(({ value }) => value).join("\n"));
    const words = secret ? SECRET_SIGNS[secret] : "";
    // Setting the same words again would have them read again.
    if (line.textContent !== words) line.textContent = words;
  };
  form.addEventListener("input", check);
  check();
  return () => form.removeEventListener("input", check);
}
