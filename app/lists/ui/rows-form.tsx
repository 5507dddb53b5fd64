import type { ReactNode } from "react";
import { Form } from "~/ui/form";
import { SAVED_WORDS, type SentRow } from "~/ui/use-sent-row";

type RowsFormProps = {
  /** Holds the id of the form, to which the controls of the rows refer. */
  name: string;
  /** Names the intent of the form, where that is not `name`. */
  intent?: string;
  /** Holds the address of the list. */
  path: string;
  token: string;
  /**
   * Tells that the choice of a row is saved, and its answer stands beside the row. Absent: a button leads to the list
   * again.
   */
  sent?: SentRow;
  /** Holds further hidden fields. */
  children?: ReactNode;
};

/** Renders the form of all rows of a list, which stands outside the table. */
export function RowsForm({ name, intent = name, path, token, sent, children }: RowsFormProps) {
  return (
    <Form id={name} name={name} action={path} token={token} staysFilled={Boolean(sent)} onSubmit={sent?.remember}>
      {children}
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="return_to" value={path} />
      {sent ? <input type="hidden" name="answer" value="beside" /> : null}
    </Form>
  );
}

/** Says to a screen reader that the choice of a row was saved, or that it was so already. */
export function SavedStatus({ sent }: { sent: readonly SentRow[] }) {
  const [last] = sent.flatMap((row) => row.last ?? []);
  return (
    <p className="sr-only" role="status">
      {last ? SAVED_WORDS[last] : null}
    </p>
  );
}
