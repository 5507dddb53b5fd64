import { useFetcher } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { formKey, isFormAnswer } from "./form-answer";

type RowsForm = {
  /** Address of the list. */
  path: string;
  /** Name of the form that the choices of all rows belong to. */
  form: string;
};

/** Tells which row of a list is being saved, and which was saved last. */
export type SentRow = {
  saved: string | null;
  /** Returns what the place of a row says, beside its select. */
  stateOf: (id: string) => "sending" | "saved" | null;
  /** Remembers the row whose button sends the form. */
  remember: (event: FormEvent) => void;
};

/** Returns which row is being saved, and which was saved last. */
export function useSentRow({ path, form }: RowsForm): SentRow {
  const { state, data } = useFetcher({ key: formKey(path, form) });
  const [id, setId] = useState<string | null>(null);
  const isPending = state !== "idle";
  const saved = !isPending && isFormAnswer(data) && data.saved ? id : null;
  return {
    saved,
    stateOf: (row) => {
      if (isPending && row === id) return "sending";
      return row === saved ? "saved" : null;
    },
    remember: ({ nativeEvent }: FormEvent) => {
      const { submitter } = nativeEvent as SubmitEvent;
      if (!isPending) setId((submitter as HTMLButtonElement | null)?.value.split(".").at(-1) ?? null);
    },
  };
}
