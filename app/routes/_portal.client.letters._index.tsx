import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { LETTERS_FAILED } from "~/features/letters/labels";
import { OwnLetterPanel } from "~/features/letters/letter-table";
import { ownLetterList } from "~/features/letters/list";
import { ownLetterRows } from "~/features/letters/list.server";
import { portalTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, "Letters");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "letter.read");
  return loadList(context, actor, ownLetterList, {
    failed: LETTERS_FAILED,
    read: (request) => ownLetterRows.read(context.db, request),
  });
}

export default function OwnLettersPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size } = loaded;
  return (
    <ListPage
      loaded={loaded}
      path={useListPath(ownLetterList, loaded)}
      title="Letters"
      actions={<ExportLink to={ownLetterList.exportPath(new URLSearchParams(ownLetterList.query(filter)))} />}
      filters={null}
    >
      {list ? <OwnLetterPanel list={list} filter={filter} size={size} /> : null}
    </ListPage>
  );
}
