import { Checkbox } from "~/ui/checkbox";
import { cx } from "~/ui/cx";
import { Field } from "~/ui/field";
import { FILTERS } from "~/ui/filters";
import { Form, SubmitButton } from "~/ui/form";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { TextButton } from "~/ui/text-button";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { VIEWS_FAILED } from "../copy";
import { SAVED_LISTS, type SavedList, type SavedView, VIEW_NAME_MAX, VIEWS_PATH } from "../saved-view";

type SavedViewsProps = {
  list: SavedList;
  /** `null` when they could not be read. */
  views: readonly SavedView[] | null;
  /** The filter that is on, as a query string; empty while none is. */
  query: string;
  token: string;
  path: string;
};

/** Lists the filters saved under a name. All staff see a shared one; only its owner can delete it. */
export function SavedViews({ list, views, query, token, path }: SavedViewsProps) {
  if (!views) return <p className="text-ink-2">{VIEWS_FAILED}</p>;
  if (views.length === 0 && query === "") return null;
  return (
    <details>
      <summary className="w-fit cursor-pointer text-link">
        Saved views <span className="tabular-nums">{views.length}</span>
      </summary>
      <ul className="*:flex *:flex-wrap *:items-center *:gap-x-4 *:gap-y-1 *:py-[0.35rem]">
        {views.map((view) => (
          <li key={view.id}>
            <Link to={`${SAVED_LISTS[list].path}?${view.query}`}>{view.name}</Link>
            <span className="text-ink-3 text-sm">
              {view.shared ? `Shared by ${view.mine ? "you" : view.owner}` : "Private"}
            </span>
            {view.mine ? <DeleteView view={view} token={token} path={path} /> : null}
          </li>
        ))}
      </ul>
      {query === "" ? null : (
        <Form action={VIEWS_PATH} token={token} name="view" className={cx(FILTERS, "mt-2")}>
          <input type="hidden" name="list" value={list} />
          <input type="hidden" name="query" value={query} />
          <input type="hidden" name="return_to" value={path} />
          <Field name="name" id="view-name" label="Name of this view">
            <Input maxLength={VIEW_NAME_MAX} autoComplete="off" />
          </Field>
          <Checkbox name="shared" label="Share with all staff" />
          <SubmitButton variant="quiet" name="intent" value="save" pendingLabel="Saving...">
            Save view
          </SubmitButton>
        </Form>
      )}
    </details>
  );
}

function DeleteView({ view, token, path }: { view: SavedView; token: string; path: string }) {
  return (
    <Form action={VIEWS_PATH} token={token}>
      <input type="hidden" name="id" value={view.id} />
      <input type="hidden" name="return_to" value={path} />
      <TextButton type="submit" name="intent" value="delete">
        Delete <VisuallyHidden>{view.name}</VisuallyHidden>
      </TextButton>
    </Form>
  );
}
