import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { ErrorPanel } from "~/ui/error-panel";
import { ReadyFile } from "~/ui/export-links";
import { Page } from "~/ui/page";
import type { LoadedFile } from "../model";

/** Describes what is used of what the loader of a list returns. */
type Loaded = { list: object | null; isLimited: boolean; problem: string; file: LoadedFile | null };

type ListPageProps = {
  loaded: Loaded;
  /** Holds the address of the list, as `useListPath` returns it. */
  path: string;
  title: string;
  /** Holds the buttons and links for the whole list, beside the title. */
  actions?: ReactNode;
  isDense?: boolean;
  /** Holds what stands above the rows even if they could not be read. */
  above?: ReactNode;
  /** Holds the filters, which stay if somebody searches too often. */
  filters: ReactNode;
  /** Holds the rows with everything around them; null where there is no list to show. */
  children: ReactNode;
};

/** Shows the page of a list: the file that was asked for, then the rows, or why there are none. */
export function ListPage({ loaded, path, filters, above, children, ...page }: ListPageProps) {
  const { list, isLimited, problem, file } = loaded;
  return (
    <Page isDense {...page}>
      {file ? <ReadyFile {...file} /> : null}
      {above}
      {list ? (
        children
      ) : (
        <>
          {isLimited ? filters : null}
          <ErrorPanel message={problem} retryTo={path} />
        </>
      )}
    </Page>
  );
}

/** Returns the address of the list as it is shown, without the file that was asked for. */
export function useListPath<Filter>(
  { pathTo }: { pathTo: (filter: Filter) => string },
  { file, filter }: { file: object | null; filter: Filter },
): string {
  const { pathname, search } = useLocation();
  return file ? pathTo(filter) : pathname + search;
}
