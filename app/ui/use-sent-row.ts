import { useFetcher } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { formKey, isFormAnswer } from "./form";

type Saved = "saved" | "unchanged";

export const SAVED_LABELS: Record<Saved, string> = { saved: "Saved", unchanged: "No change" };

export type SentRow = {
  last: Saved | null;
  stateOf: (id: string) => "sending" | Saved | null;
  remember: (event: FormEvent) => void;
};

export function useSentRow({ path, form }: { path: string; form: string }): SentRow {
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
