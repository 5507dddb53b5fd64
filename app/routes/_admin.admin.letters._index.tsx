import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { LETTERS_FAILED } from "~/features/letters/labels";
import { LetterFilters, LetterPanel } from "~/features/letters/letter-table";
import { letterList } from "~/features/letters/list";
import { letterRows } from "~/features/letters/list.server";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { LinkTabs } from "~/ui/tabs";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Letters");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "letter.handle");
  return loadList(context, actor, letterList, {
    failed: LETTERS_FAILED,
    read: (request) => letterRows.read(context.db, request),
  });
}

const TABS = [
  { status: null, label: "Drafts" },
  { status: "released", label: "Released" },
] as const;

export default function LettersPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size } = loaded;
  return (
    <ListPage
      loaded={loaded}
      path={useListPath(letterList, loaded)}
      title="Letters"
      actions={<ExportLink to={letterList.exportPath(new URLSearchParams(letterList.query(filter)))} />}
      above={
        <>
          <p className="text-ink-2">How a month went, for each organization with a plan.</p>
          <LinkTabs
            label="Letters"
            items={TABS.map(({ status, label }) => ({
              label,
              to: letterList.pathTo({ ...filter, status }),
              current: status === filter.status,
            }))}
          />
        </>
      }
      filters={<LetterFilters filter={filter} size={size} />}
    >
      {list ? <LetterPanel list={list} filter={filter} size={size} /> : null}
    </ListPage>
  );
}
