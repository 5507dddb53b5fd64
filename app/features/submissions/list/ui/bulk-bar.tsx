import { Form } from "@remix-run/react";
import type { Instant } from "~/lib/time";
import { Actions } from "~/ui/actions";
import { Button } from "~/ui/button";
import { TickLabel } from "~/ui/checkbox";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { BULK_LIMIT, type MatchCount } from "../../model";
import { STATUS_OPTIONS } from "../../ui/submission-status";

/** The form the checkboxes of the rows belong to. */
export const BULK_FORM = "bulk";

type BulkBarProps = {
  token: string;
  /** How many match the filter in all. */
  total: MatchCount;
  /** The filter as a query string. */
  query: string;
  path: string;
  /** When the rows were read: what has changed since is left alone. */
  drawnAt: Instant;
  may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean };
};

/** Offers what can be done with picked rows. It shows once a row is picked, and counts them, without a script. */
export function BulkBar({ token, total, query, path, drawnAt, may }: BulkBarProps) {
  return (
    <Form
      id={BULK_FORM}
      className="compact-labels sticky bottom-0 z-2 mt-3 hidden flex-wrap items-end gap-x-6 gap-y-3 rounded-b-3 border border-line-strong border-t-2 border-t-brand bg-raised px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] group-has-[tbody_[type=checkbox]:checked]/picking:flex"
      method="post"
      action="/admin/submissions"
      aria-label="Picked submissions"
    >
      <input type="hidden" name="form_token" value={token} />
      <input type="hidden" name="query" value={query} />
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="drawn_at" value={drawnAt} />
      <fieldset className="grid gap-[0.2rem] max-md:flex max-md:flex-wrap max-md:gap-x-5 max-md:gap-y-0">
        <legend className="text-ink-2 text-xs">Apply to</legend>
        <TickLabel>
          <input type="radio" name="scope" value="ticked" defaultChecked />
          <span className="after:content-['_('_counter(picked)_'_selected)']">ticked rows</span>
        </TickLabel>
        <TickLabel>
          <input type="radio" name="scope" value="all" />
          <span>{everything(total)}</span>
        </TickLabel>
      </fieldset>
      {may.changeStatus ? (
        <Actions dense>
          <Field name="status" id="bulk-status" label="Set status">
            <Select options={STATUS_OPTIONS} defaultValue="contacted" />
          </Field>
          <Button type="submit" name="intent" value="bulk-status">
            Update
          </Button>
        </Actions>
      ) : null}
      <Actions dense className="ml-auto">
        {may.release ? (
          <Button type="submit" name="intent" value="bulk-release">
            Not spam
          </Button>
        ) : null}
        {may.export ? (
          <Button type="submit" variant="quiet" name="intent" value="export">
            Export picked
          </Button>
        ) : null}
        {may.delete ? (
          <Button type="submit" variant="danger" formAction="/admin/submissions/delete" name="intent" value="choose">
            Delete…
          </Button>
        ) : null}
      </Actions>
    </Form>
  );
}

/** One action takes so many at most; the rest is there for the next one. */
function everything({ count, more }: MatchCount): string {
  if (more) return `all that match (the first ${BULK_LIMIT} at most)`;
  const words = `all ${count.toLocaleString("en-US")} matching`;
  return count > BULK_LIMIT ? `${words} (the first ${BULK_LIMIT})` : words;
}
