import { ListPage, ListTable } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { NO_OWN_LETTERS, NO_OWN_LETTERS_HINT } from "./labels";
import { type LoadedLetters, letterColumns } from "./letter-table";
import { type OwnLetterFilter, ownLetterList } from "./list";
import { clientLetterPath } from "./model";

export function OwnLetterListPage({ loaded }: { loaded: LoadedLetters<OwnLetterFilter> }) {
  const { filter, size } = loaded;
  return (
    <ListPage
      definition={ownLetterList}
      loaded={loaded}
      title="Letters"
      actions={<ExportLink to={ownLetterList.exportPathTo(filter)} />}
      filters={null}
      empty={{ title: NO_OWN_LETTERS, body: NO_OWN_LETTERS_HINT }}
    >
      {(list) => (
        <ListTable
          {...{ list, filter, size }}
          definition={ownLetterList}
          columns={letterColumns(({ id, title }) => <a href={clientLetterPath(id)}>{title}</a>)}
        />
      )}
    </ListPage>
  );
}
