import { PRIVACY_PATH } from "~/lib/addresses";
import { SEARCH_MAX } from "~/lists/fields";
import { Filters } from "~/ui/filters";
import { Link } from "~/ui/link";
import { SearchField } from "~/ui/list-fields";
import { Sheet, SheetRows } from "~/ui/sheet";
import { type Person, personPath } from "../model";

/** Shows the search for a person, to export or erase what is stored about them. */
export function PeopleFound({ text, people }: { text: string; people: readonly Person[] | null }) {
  return (
    <Sheet id="people" title="A person">
      <div className="grid gap-2 px-4 pb-3">
        <p className="max-w-none text-ink-2 text-sm">
          Find an account by name or address, or a person without one by the exact address of their submission.
        </p>
        <Filters label="People" action={PRIVACY_PATH} values={{ q: text }}>
          <SearchField label="Name or email address" value={text} max={SEARCH_MAX} />
        </Filters>
        {people && people.length === 0 ? <p role="status">No one found.</p> : null}
      </div>
      {people && people.length > 0 ? (
        <SheetRows>
          {people.map(({ id, name, email, userId }) => (
            <li key={id} className="wrap-anywhere">
              <Link to={personPath(id)}>{name}</Link>{" "}
              <span className="text-ink-2 text-sm">
                {email}
                {userId ? null : " · no account"}
              </span>
            </li>
          ))}
        </SheetRows>
      ) : null}
    </Sheet>
  );
}
