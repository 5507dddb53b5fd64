import { TextButton } from "~/ui/button";
import { DetailsPanel } from "~/ui/details-panel";
import { Checkbox, Field, Form, Input, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { TAB_CLASSES } from "~/ui/list-tabs";
import { VisuallyHidden } from "~/ui/text";
import { NO_VIEWS, VIEWS_FAILED } from "../labels";
import { type SavedView, VIEW_NAME_MAX, VIEWS_PATH } from "../model";

type SavedViewsProps = {
  list: { name: string; path: string };
  views: readonly SavedView[] | null;
  query: string;
  token: string;
  path: string;
};

/** All staff see a shared one; only its owner can delete it. */
export function SavedViews({ list, views, query, token, path }: SavedViewsProps) {
  const label = (
    <>
      Saved views
      {views ? <span className="text-ink-3 text-xs tabular-nums">{views.length}</span> : null}
    </>
  );
  return (
    <DetailsPanel label={label} summaryClass={TAB_CLASSES}>
      {views ? null : <p className="text-ink-2">{VIEWS_FAILED}</p>}
      {views?.length === 0 && query === "" ? <p className="text-ink-2">{NO_VIEWS}</p> : null}
      {views && views.length > 0 ? (
        <ul className="*:flex *:flex-wrap *:items-center *:gap-x-4 *:gap-y-1 *:py-[0.35rem]">
          {views.map((view) => (
            <li key={view.id}>
              <Link to={`${list.path}?${view.query}`}>{view.name}</Link>
              <span className="text-ink-3 text-sm">
                {view.shared ? `Shared by ${view.mine ? "you" : view.owner}` : "Private"}
              </span>
              {view.mine ? <DeleteView view={view} token={token} path={path} /> : null}
            </li>
          ))}
        </ul>
      ) : null}
      {views === null || query === "" ? null : (
        <Form action={VIEWS_PATH} token={token} name="view" className="compact-labels grid gap-3">
          <input type="hidden" name="list" value={list.name} />
          <input type="hidden" name="query" value={query} />
          <input type="hidden" name="return_to" value={path} />
          <Field name="name" id="view-name" label="Name of this view">
            <Input maxLength={VIEW_NAME_MAX} autoComplete="off" />
          </Field>
          <Checkbox name="shared" label="Share with all staff" />
          <SubmitButton className="justify-self-start" variant="quiet" intent="save" pendingLabel="Saving...">
            Save view
          </SubmitButton>
        </Form>
      )}
    </DetailsPanel>
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
