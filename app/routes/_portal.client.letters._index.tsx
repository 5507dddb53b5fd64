import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { LETTERS_FAILED } from "~/features/letters/labels";
import { ownLetterList } from "~/features/letters/list";
import { ownLetterRows } from "~/features/letters/list.server";
import { OwnLetterListPage } from "~/features/letters/own-letter-list";
import { portalTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";

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
  return <OwnLetterListPage loaded={useLoaderData<typeof loader>()} />;
}
