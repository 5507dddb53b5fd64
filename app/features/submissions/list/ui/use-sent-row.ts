import { useFetcher } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { formKey, isFormAnswer } from "~/ui/form-answer";
import { STATUS_UPDATED } from "../../copy";
import { ROWS_FORM } from "./submission-table";

/** Returns which row is being saved, and which was saved last: what its place says, beside its select. */
export function useSentRow(path: string) {
  const { state, data } = useFetcher({ key: formKey(path, ROWS_FORM) });
  const [id, setId] = useState<string | null>(null);
  const isPending = state !== "idle";
  return {
    sending: isPending ? id : null,
    saved: !isPending && isFormAnswer(data) && data.saved === STATUS_UPDATED.title ? id : null,
    /** Remembers the row whose button sends the form. */
    remember: ({ nativeEvent }: FormEvent) => {
      const { submitter } = nativeEvent as SubmitEvent;
      if (!isPending) setId((submitter as HTMLButtonElement | null)?.value.split(".").at(-1) ?? null);
    },
  };
}
