import { useFetcher } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { formKey, isFormAnswer } from "./form-answer";

type RowsForm = {
  /** Holds the address of the list. */
  path: string;
  /** Holds the name of the form that the choices of all rows belong to. */
  form: string;
};

/** Tells what became of a row: saved, or it was so already. */
type Saved = "saved" | "unchanged";

/** Says what became of a row that was sent, in words. */
export const SAVED_WORDS: Record<Saved, string> = { saved: "Saved", unchanged: "No change" };

/** Tells which row of a list is being saved, and what became of the last. */
export type SentRow = {
  last: Saved | null;
  /** Returns what the place of a row says, beside its select. */
  stateOf: (id: string) => "sending" | Saved | null;
  /** Remembers the row whose button sends the form. */
  remember: (event: FormEvent) => void;
};

/** Returns which row is being saved, and what became of the last. */
export function useSentRow({ path, form }: RowsForm): SentRow {
  const { state, data } = useFetcher({ key: formKey(path, form) });
  const [id, setId] = useState<string | null>(null);
  const isPending = state !== "idle";
  const last = isPending ? null : savedIn(data);
  return {
    last,
    stateOf: (row) => {
      if (row !== id) return null;
      return isPending ? "sending" : last;
    },
    remember: ({ nativeEvent }: FormEvent) => {
      const { submitter } = nativeEvent as SubmitEvent;
      if (!isPending) setId((submitter as HTMLButtonElement | null)?.value.split(".").at(-1) ?? null);
    },
  };
}

function savedIn(answer: unknown): Saved | null {
  if (!isFormAnswer(answer)) return null;
  if (answer.unchanged) return "unchanged";
  return answer.saved ? "saved" : null;
}
