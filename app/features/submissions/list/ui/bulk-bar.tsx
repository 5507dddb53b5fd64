import { Form } from "@remix-run/react";
import type { Instant } from "~/lib/time";
import { BULK_LIMIT } from "~/lists/bulk";
import type { MatchCount } from "~/lists/match-count";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
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

/** What can be done with the picked rows. The style sheet shows it once a row is picked, and counts them. */
export function BulkBar({ token, total, query, path, drawnAt, may }: BulkBarProps) {
  return (
    <Form id={BULK_FORM} className="bulk-bar" method="post" action="/admin/submissions" aria-label="Picked submissions">
      <input type="hidden" name="form_token" value={token} />
      <input type="hidden" name="query" value={query} />
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="drawn_at" value={drawnAt} />
      <fieldset>
        <legend>Apply to</legend>
        <label className="tick">
          <input type="radio" name="scope" value="ticked" defaultChecked />
          <span className="picked">ticked rows</span>
        </label>
        <label className="tick">
          <input type="radio" name="scope" value="all" />
          <span>{everything(total)}</span>
        </label>
      </fieldset>
      {may.changeStatus ? (
        <div className="acts-row">
          <Field name="status" id="bulk-status" label="Set status">
            <Select options={STATUS_OPTIONS} defaultValue="contacted" />
          </Field>
          <Button type="submit" name="intent" value="bulk-status">
            Update
          </Button>
        </div>
      ) : null}
      <div className="acts-row">
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
      </div>
    </Form>
  );
}

/** One action takes so many at most; the rest is there for the next one. */
function everything({ count, more }: MatchCount): string {
  if (more) return `all that match (the first ${BULK_LIMIT} at most)`;
  const words = `all ${count.toLocaleString("en-US")} matching`;
  return count > BULK_LIMIT ? `${words} (the first ${BULK_LIMIT})` : words;
}
