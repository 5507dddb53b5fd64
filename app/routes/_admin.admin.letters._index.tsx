import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { LETTERS_FAILED } from "~/features/letters/labels";
import { LetterListPage } from "~/features/letters/letter-list";
import { letterList } from "~/features/letters/list";
import { letterRows } from "~/features/letters/list.server";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Letters");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "letter.handle");
  return loadList(context, actor, letterList, {
    failed: LETTERS_FAILED,
    read: (request) => letterRows.read(context.db, request),
  });
}

export default function LettersPage() {
  return <LetterListPage loaded={useLoaderData<typeof loader>()} />;
}
