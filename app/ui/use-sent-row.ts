import { useFetcher } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { formKey, isFormAnswer } from "./form-answer";

type RowsForm = {
  /** Address of the list. */
  path: string;
  /** Name of the form that the choices of all rows belong to. */
  form: string;
};

/** Returns which row is being saved, and which was saved last: what its place says, beside its select. */
export function useSentRow({ path, form }: RowsForm) {
  const { state, data } = useFetcher({ key: formKey(path, form) });
  const [id, setId] = useState<string | null>(null);
  const isPending = state !== "idle";
  return {
    sending: isPending ? id : null,
    saved: !isPending && isFormAnswer(data) && data.saved ? id : null,
    /** Remembers the row whose button sends the form. */
    remember: ({ nativeEvent }: FormEvent) => {
      const { submitter } = nativeEvent as SubmitEvent;
      if (!isPending) setId((submitter as HTMLButtonElement | null)?.value.split(".").at(-1) ?? null);
    },
  };
}
